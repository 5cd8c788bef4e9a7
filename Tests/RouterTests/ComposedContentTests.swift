import Foundation
import NotificationModel
import Testing

@testable import Router

@Suite struct ComposedContentTests {
  private func type(_ code: Int, android: NotificationType.AndroidForm) throws -> NotificationType {
    var type = try #require(try Catalogue().type(.code(code)))
    (type.android, type.analyticsLabel, type.isMutable) = (android, "label-\(code)", true)
    return type
  }

  private func composed(_ types: [NotificationType], as code: Int) throws -> NotificationContent {
    let latest = try #require(types.last)
    let content = NotificationContent(
      type: latest,
      text: latest.template.render(title: "2 news", body: "A, B", data: [:]),
      data: [:],
      relatedEntityType: nil,
      relatedEntityId: nil,
      collapseKey: nil,
      createdAt: Date.now,
      expiresAt: Date.now + 3_600
    )
    return content.composed(as: code, of: types)
  }

  @Test func `one of a single type is what the type is to Android apps and to Firebase`() throws {
    let dinner = try type(10, android: .data)
    let content = try composed([dinner, dinner], as: 10)
    #expect(content.android == .data)
    #expect(content.analyticsLabel == "label-10" && content.isMutable)
  }

  @Test func `one of several types is data only if all are, counts under no label, and no extension completes it`()
    throws
  {
    let (data, other) = (try type(10, android: .data), try type(12, android: .data))
    let content = try composed([data, other], as: Composition.mixedType)
    #expect(content.android == .data)
    #expect(content.analyticsLabel == nil && !content.isMutable)
    let shown = try type(12, android: .notification)
    #expect(try composed([shown, data], as: Composition.mixedType).android == .notification)
    #expect(try composed([data, shown], as: Composition.mixedType).android == .notification)
  }

  @Test func `one of several categories can be stopped by no click, and is bulk only if all are`() throws {
    var (allowance, other) = (try type(10, android: .notification), try type(12, android: .notification))
    other = try #require(try Catalogue().types.first { $0.category != allowance.category })
    (allowance.mail, other.mail) = (
      MailHandling(stream: .bulk, mayUnsubscribe: true), MailHandling(mayUnsubscribe: true)
    )
    let alone = try composed([allowance, allowance], as: 10)
    #expect(alone.category == allowance.category && alone.mail == allowance.mail)
    let mixed = try composed([allowance, other], as: Composition.mixedType)
    #expect(mixed.category == nil && mixed.mail == .standard)
    other.mail.stream = .bulk
    #expect(try composed([allowance, other], as: Composition.mixedType).mail == MailHandling(stream: .bulk))
  }
}
