import Dispatching
import Foundation
import NotificationModel
import NotificationQueue
import TestSupport
import Testing

@testable import PushDispatcher

/// Our messages, read and written anew by Google's SDK.
@Suite struct FirebaseJudgeTests {
  private static let script = "Tests/PushDispatcherTests/firebase_judge.py"
  private let now = Date(timeIntervalSince1970: 1_800_000_000)

  /// A message for each combination of what a push can be.
  private func messages() throws -> [[UInt8]] {
    let type = try #require(try Catalogue().type(.code(10)))
    let user = UserID(UUID())
    let request = try #require(RequestID("019a8b7c-6d5e-7f40-8123-456789abcdef"))
    var messages: [[UInt8]] = []
    for platform in [1, 2, 3, nil] {
      for kind in DeviceAddressKind.allCases {
        for android in NotificationType.AndroidForm.allCases {
          for isPlain in [true, false] {
            var content = NotificationContent(
              type: type,
              text: type.template.render(title: "Allowance \"received\"", body: "You have 42 €", data: [:]),
              data: ["amount": "$10.00"],
              relatedEntityType: isPlain ? nil : "Transaction",
              relatedEntityId: isPlain ? nil : "t-1",
              collapseKey: isPlain ? nil : "balance",
              createdAt: now - 60,
              expiresAt: now + 3_600
            )
            content.android = android
            if !isPlain {
              (content.sound, content.isUrgent, content.analyticsLabel) = ("bell.caf", true, "allowance-1.0_a~%")
            }
            let target = DispatchMessage.Target(id: "d", address: "address:1", platform: platform, kind: kind)
            let delivery = DispatchMessage.Delivery(
              notificationId: NotificationID(request: request, recipient: user),
              userId: user,
              content: 0,
              badge: 7,
              hasSound: isPlain,
              hasBadge: isPlain,
              targets: [target]
            )
            let web =
              isPlain ? FCMMessage.Web() : FCMMessage.Web(link: "https://shop.example/inbox", icon: "https://i.example")
            let targeted = TargetedDelivery(delivery: delivery, target: target, content: content)
            messages.append(try #require(FCMMessage(targeted, web: web, now: now).encoded()).bytes)
          }
        }
      }
    }
    return messages + (try messagesToTopics(type))
  }

  private func messagesToTopics(_ type: NotificationType) throws -> [[UInt8]] {
    let topics = [
      try TopicAudience(topic: "news-1.0_a~%"), try TopicAudience(condition: "'a' in topics && !('b' in topics)"),
    ]
    return try topics.map { topic in
      let content = NotificationContent(
        type: type,
        text: type.template.render(title: "Allowance", body: "You have 42 €", data: [:]),
        data: ["amount": "$10.00"],
        relatedEntityType: nil,
        relatedEntityId: nil,
        collapseKey: nil,
        createdAt: now - 60,
        expiresAt: now + 3_600
      )
      let delivery = DispatchMessage.Delivery(
        notificationId: try #require(NotificationID("019a8b7c-6d5e-7f40-8123-456789abcdef")),
        userId: UserID(UUID()),
        content: 0,
        badge: 0,
        hasBadge: false,
        targets: [.init(topic)]
      )
      let targeted = TargetedDelivery(delivery: delivery, target: delivery.targets[0], content: content)
      let web = FCMMessage.Web(link: "https://shop.example/inbox", icon: "https://i.example")
      return try #require(FCMMessage(targeted, web: web, now: now).encoded()).bytes
    }
  }

  private func objections(to messages: [[UInt8]]) throws -> [String] {
    let file = FileManager.default.temporaryDirectory.appending(path: "belfry-judge-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(messages.joined(separator: [UInt8(ascii: "\n")])).write(to: file)
    return try Python.lines(of: Self.script, [file.path]).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `Google's SDK writes every message as we do`() throws {
    let messages = try messages()
    #expect(messages.count == 34)
    #expect(try objections(to: messages) == [])
  }

  @Test func `the judge would say so if one were wrong`() throws {
    let wrong = [
      #"{"message":{"token":"t","fid":"f"}}"#, #"{"message":{"token":"t","data":{"n":1}}}"#,
      #"{"message":{"token":"t","android":{"priority":"HIGH","ttl":"1s","tag":"a"}}}"#,
      #"{"message":{"token":"t","fcm_options":{"analytics_label":"a b"}}}"#,
      #"{"message":{"token":"t","webpush":{"fcm_options":{"link":"http://insecure.example"}}}}"#,
    ]
    #expect(try objections(to: wrong.map { Array($0.utf8) }).count == wrong.count)
  }
}
