import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore
import Testing

@testable import Router

/// Routers with types that wait in every way, and a clock of their own.
struct HeldWorld {
  static let mailIfUnread = 300
  static let digest = 301
  static let throttledHold = 302
  static let throttledDrop = 303
  static let plain = 304
  static let summary = 305
  static let wordy = 306
  static let mailDigest = 307
  static let note = 308
  static let offer = 309
  private static let catalogue = Result {
    try Catalogue(
      overrides: """
        version: 1
        defaults: { channels: { inApp: true, push: true, email: false }, priority: normal, timeToLiveDays: 30, title: T, body: B }
        categories:
        - { name: Tests }
        - { name: Notes }
        - { name: Offers, mail: { stream: bulk, unsubscribe: true } }
        types:
        - { code: 300, name: Mail, category: Tests, channels: { inApp: true, push: false, email: true },
            title: "Mail {{n}}", body: Body, wait: { email: 15min } }
        - { code: 301, name: Digest, category: Tests, channels: { inApp: true, push: true, email: false },
            title: "Message {{n}}", body: Body, payload: [n],
            digest: { channel: push, every: 1h, key: "{{talk}}", title: "{{count}} messages", body: "the last is {{n}}" } }
        - { code: 302, name: Held, category: Tests, channels: { inApp: true, push: true, email: true },
            title: "Goal {{n}}", body: Body, throttle: { atMost: 3, per: 1h, key: "{{talk}}", then: hold } }
        - { code: 303, name: Dropped, category: Tests, channels: { inApp: true, push: true, email: false },
            title: "Goal {{n}}", body: Body, throttle: { atMost: 3, per: 1h, then: drop } }
        - { code: 304, name: Plain, category: Tests, channels: { inApp: true, push: true, email: false },
            title: "Plain {{n}}", body: Body }
        - { code: 305, name: Summary, category: Tests, channels: { inApp: true, push: true, email: false },
            title: "Summary {{n}}", body: Body, quietHours: digest }
        - { code: 306, name: Wordy, category: Tests, channels: { inApp: true, push: true, email: false },
            title: "Wordy {{n}}", body: Body, payload: [talk],
            digest: { channel: push, every: 1h, title: "{{count}} messages", body: "{{talk}}{{talk}}" } }
        - { code: 307, name: MailDigest, category: Tests, channels: { inApp: true, push: false, email: true },
            title: "Letter {{n}}", body: "From {{talk}}", digest: { channel: email, every: 1h, title: "{{count}} letters", body: B } }
        - { code: 308, name: Note, category: Notes, channels: { inApp: true, push: false, email: true },
            title: "Note {{n}}", body: Body, quietHours: digest }
        - { code: 309, name: Offer, category: Offers, channels: { inApp: true, push: true, email: true },
            title: "Offer {{n}}", body: Body, quietHours: digest }
        """
    )
  }

  let clock = TestClock()
  var router: TestRouter
  let ann = UserID(UUID())

  init() {
    router = TestRouter()
    router.catalogue = Self.catalogue.mapError { $0 }
    router.clock = { [clock] in clock.now }
    router.stores.change(ann) { $0.typeChoices = ChannelChoices() }
  }

  /// Sends so many of a type to Ann, numbered from `first`, accepted now.
  func send(_ type: Int, _ count: Int = 1, from first: Int = 1, talk: String = "a", expiresIn: TimeInterval = 86_400)
    async throws
  {
    for number in first..<(first + count) {
      let expiry = (clock.now + expiresIn).formatted(.iso8601)
      try await router.publish(
        #"{"to":{"users":["\#(ann)"]},"type":\#(type),"data":{"n":"\#(number)","talk":"\#(talk)"},"expiresAt":"\#(expiry)"}"#,
        id: RequestID(now: clock.now + Double(number) / 1_000).description,
        type: IngestKind.request.messageType
      )
    }
  }

  /// Routes what was sent.
  func route() async throws {
    try await router.run()
    #expect(router.isDone && router.deadLettered.isEmpty)
  }

  /// Takes what is due after some time.
  func wait(_ seconds: TimeInterval) async throws {
    clock.advance(by: seconds)
    try await router.runHeld()
  }

  /// What was published for Ann on a channel, oldest first: `title: body`.
  func notified(_ queue: WorkQueue = .push) throws -> [String] {
    try deliveries(queue).map { "\($0.content.title): \($0.content.body)" }
  }

  /// The same, each notification once, whose words are always the same.
  func notifiedOnce(_ queue: WorkQueue = .push) throws -> [String] {
    var texts: [NotificationID: String] = [:]
    var order: [NotificationID] = []
    for (id, content, _) in try deliveries(queue) {
      let text = "\(content.title): \(content.body)"
      if let former = texts[id] { #expect(former == text) } else { order.append(id) }
      texts[id] = text
    }
    return order.compactMap { texts[$0] }
  }

  func deliveries(
    _ queue: WorkQueue = .push
  ) throws -> [(id: NotificationID, content: NotificationContent, recheck: Bool)] {
    try router.dispatches(queue).flatMap { message in
      message.deliveries.filter { $0.userId == ann }.map {
        ($0.notificationId, message.contents[$0.content], message.recheck)
      }
    }
  }

  /// What is stored of Ann's notifications on a channel, oldest first; compositions are left out.
  func decisions(_ channel: Channel = .push) -> [ChannelDecision] {
    router.stores.rows(of: ann).filter { $0.plan[.inApp] == .deliver }.sorted { $0.id < $1.id }.compactMap {
      $0.plan[channel]
    }
  }
}
