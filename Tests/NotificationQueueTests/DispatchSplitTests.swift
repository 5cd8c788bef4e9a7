import Foundation
import NotificationModel
import NotificationQueue
import Testing

/// Dispatch messages have at most 256 KiB.
@Suite struct DispatchSplitTests {
  private func content(_ body: String) throws -> NotificationContent {
    var content = try TestMessage.content("A")
    content.body = body
    (content.android, content.analyticsLabel) = (.data, String(repeating: "l", count: 50))
    content.listing = NotificationContent.Listing([(title: String(repeating: "\"", count: 200), body: "b")])
    return content
  }

  private func deliveries(_ contents: [Int], token: String = "token") throws -> [DispatchMessage.Delivery] {
    let request = try #require(RequestID("019a8b7c-6d5e-7f40-8123-456789abcdef"))
    return contents.map { content in
      let user = UserID(UUID())
      return DispatchMessage.Delivery(
        notificationId: NotificationID(request: request, recipient: user),
        userId: user,
        content: content,
        badge: .max,
        hasSound: false,
        hasBadge: false,
        targets: [
          .init(
            id: "device",
            address: token,
            platform: .max,
            name: "Mia \"M\"",
            credentials: SubscriptionKeys(p256dh: token, auth: token)
          )
        ]
      )
    }
  }

  /// As it is when it was tried as often as it can be.
  private func size(_ message: DispatchMessage) -> Int {
    let late = message.keeping(message.deliveries, attempt: 10_000, failingSince: .now, recheck: false)
    return QueueCoder.encode(late).count
  }

  @Test func `large contents and long tokens make more messages, each within the limit, in order, and none is lost`()
    throws
  {
    let texts = (0..<5).map { String(repeating: "\"\n\u{1}é", count: 4_000 + $0) }
    let contents = try texts.map(content)
    for (order, token) in [
      (Array(repeating: 0, count: 250), "t"), ((0..<250).map { $0 % 5 }, "t"), ((0..<250).map { $0 / 50 }, "t"),
      ((0..<250).map { $0 % 2 }, String(repeating: "\\", count: 4_000)),
    ] {
      let all = try deliveries(order, token: token)
      let parts = DispatchMessage.split(all, of: contents, recheck: true)
      #expect(parts.tooLarge.isEmpty)
      #expect(parts.messages.flatMap(\.deliveries).map(\.userId) == all.map(\.userId))
      #expect(
        parts.messages.flatMap { message in message.deliveries.map { message.contents[$0.content].body } }
          == order.map { texts[$0] }
      )
      #expect(parts.messages.allSatisfy { $0.recheck && $0.deliveries.count <= 100 })
      #expect(parts.messages.allSatisfy { size($0) <= DispatchMessage.maximumSize })
      // Not many more than need be.
      let needed = parts.messages.reduce(0) { $0 + size($1) } / DispatchMessage.maximumSize
      #expect(parts.messages.count <= max(3, 2 * needed + 2))
    }
  }

  @Test func `a delivery that is larger by itself is in no message, by its content or its targets`() throws {
    let contents = try ["A", String(repeating: "b", count: DispatchMessage.maximumSize)].map(content)
    var all = try deliveries([0, 1, 0])
    all.append(try deliveries([0], token: String(repeating: "t", count: DispatchMessage.maximumSize))[0])
    let parts = DispatchMessage.split(all, of: contents, recheck: false)
    #expect(parts.tooLarge.map(\.userId) == [all[1].userId, all[3].userId])
    #expect(parts.messages.flatMap(\.deliveries).map(\.userId) == [all[0].userId, all[2].userId])
    #expect(parts.messages.first?.contents.count == 1)
    #expect(DispatchMessage.split([], of: [], recheck: false).messages.isEmpty)
  }
}
