package import Broker
import Foundation
import BelfryJSON
import NotificationModel
package import NotificationQueue

/// Messages such as any client may publish to the queues: bodies of ours, damaged at random (the same in every run), and
/// with each number in them replaced by each of those that arithmetic stumbles over.
package struct HostileMessages<Message: QueueMessage>: Sequence {
  package let seeds: [Message]

  package init(_ seeds: [Message]) {
    self.seeds = seeds
  }

  package func makeIterator() -> some IteratorProtocol<BrokerMessage> {
    let bodies = seeds.map { QueueCoder.encode($0) }
    return (bodies.flatMap(HostileBodies.withEdgeNumbers) + HostileBodies.damaged(bodies))
      .map { BrokerMessage(body: $0) }.makeIterator()
  }

  /// Those of them that can be decoded.
  package var decoded: [Message] {
    compactMap { message in
      // Refused: that is an answer, too.
      try? QueueCoder.decode(Message.self, from: message)
    }
  }
}

/// JSON texts that nobody means well with.
package enum HostileBodies {
  private static let edges = [
    "-9223372036854775808", "9223372036854775807", "9223372036854775808", "-1", "0", "1", "-0.0", "0.5", "1e18", "1e19",
    "1e400", "2147483648", "32768", "9007199254740993", "null", "\"1\"", "[]",
  ]

  /// The body once for each number in it and each edge, in that number's place.
  package static func withEdgeNumbers(_ body: [UInt8]) -> [[UInt8]] {
    let text = String(decoding: body, as: UTF8.self)
    return text.matches(of: /[:,\[](-?[0-9][0-9.eE+-]*)(?=[,}\]])/).flatMap { match in
      edges.map { edge in Array(text.replacingCharacters(in: match.1.startIndex..<match.1.endIndex, with: edge).utf8) }
    }
  }

  package static func damaged(_ bodies: [[UInt8]], count: Int = 4_000, seed: UInt64 = 5) -> [[UInt8]] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in random.mutated(bodies[random.below(bodies.count)]) }
  }
}

extension HostileMessages where Message == DispatchMessage {
  package static func dispatches() throws -> Self { Self([try SampleMessages.dispatch()]) }
}

extension HostileMessages where Message == RealtimeMessage {
  package static func realtime() throws -> Self { Self([try SampleMessages.realtime()]) }
}

extension HostileMessages where Message == RoutingOrder {
  package static func chunks() throws -> Self { Self([try SampleMessages.chunk()]) }
}

/// One of each kind, with every member that there is.
package enum SampleMessages {
  package struct Missing: Error {}

  private static func user(_ last: Int) throws -> UserID {
    guard let user = UserID("6f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a5\(last)") else { throw Missing() }
    return user
  }

  private static func request() throws -> RequestID {
    guard let request = RequestID("019a8b7c-6d5e-7f40-8123-456789abcdef") else { throw Missing() }
    return request
  }

  private static func content() throws -> NotificationContent {
    guard let type = try Catalogue().type(.code(10)) else { throw Missing() }
    return NotificationContent(
      type: type,
      text: type.template.render(title: "Allowance", body: "You got $1", data: [:]),
      data: ["amount": "$1"],
      relatedEntityType: "Transaction",
      relatedEntityId: "7",
      collapseKey: "c",
      createdAt: Date(timeIntervalSince1970: 1_800_000_000),
      // Never, as far as tests go.
      expiresAt: Date(timeIntervalSince1970: 4_102_444_800)
    )
  }

  package static func dispatch() throws -> DispatchMessage {
    DispatchMessage(
      attempt: 2,
      failingSince: Date(timeIntervalSince1970: 1_800_000_000),
      recheck: true,
      contents: [try content(), try content()],
      deliveries: try (0..<3).map { index in
        DispatchMessage.Delivery(
          notificationId: NotificationID(request: try request(), recipient: try user(index)),
          userId: try user(index),
          content: index % 2,
          badge: index,
          targets: [
            .init(
              id: "d\(index)",
              address: "a\(index)@example.org",
              platform: index,
              name: "Ann",
              credentials: SubscriptionKeys(p256dh: "p\(index)", auth: "s\(index)")
            )
          ]
        )
      }
    )
  }

  package static func realtime() throws -> RealtimeMessage {
    let payload = try JSONParser.parse(Array(#"{"a":1,"b":[1.5,{"c":null}],"d":"x"}"#.utf8))
    return RealtimeMessage(
      contents: [try content()],
      events: [
        .init(
          .notification(NotificationID(request: try request(), recipient: try user(0)), seq: 3, content: 0),
          userId: try user(0),
          unread: 2
        ),
        .init(.unread, userId: try user(1), unread: 0),
        .init(
          .read(NotificationID(request: try request(), recipient: try user(2))),
          userId: try user(2),
          unread: 1
        ),
      ],
      relays: [.init(name: "BalanceUpdated", payload: payload, arguments: ["a", "b"], userIds: [try user(3)])],
      changes: [
        .init(
          userId: try user(0),
          state: .changed(
            .init(
              id: NotificationID(request: try request(), recipient: try user(0)),
              seq: 2,
              readAt: Date(timeIntervalSince1970: 1_800_000_001),
              seenAt: Date(timeIntervalSince1970: 1_800_000_002),
              openedAt: Date(timeIntervalSince1970: 1_800_000_003),
              archivedAt: Date(timeIntervalSince1970: 1_800_000_004),
              snoozedUntil: Date(timeIntervalSince1970: 1_800_000_005)
            ),
            content: 0
          )
        ),
        .init(
          userId: try user(1),
          state: .deleted(NotificationID(request: try request(), recipient: try user(1)))
        ),
      ]
    )
  }

  package static func chunk() throws -> RoutingOrder {
    RoutingOrder(
      requestId: try request(),
      content: try content(),
      channels: [.push, .email],
      recipients: [try user(0), try user(1)]
    )
  }
}
