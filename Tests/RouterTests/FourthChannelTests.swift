import Broker
import CatalogueVersions
import Foundation
import BelfryJSON
import NotificationModel
import NotificationQueue
import NotificationStore
import Postgres
import TestSupport
import Testing
import WallClock

@testable import Router

/// A channel that this version has not goes the whole way through a real database, by its list of channels alone: chosen, held,
/// delivered, counted, explained, exported and erased.
@Suite struct FourthChannelTests {
  private struct SMSRouting: RoutingChannel {
    let channel = Channel(rawValue: 4)
    let name = "sms"
    let hasQueue = true

    func objection(to recipient: Recipient) -> SkipReason? { number(of: recipient) == nil ? .noEmailAddress : nil }

    func targets(of recipient: Recipient) -> [DeliveryTarget] {
      number(of: recipient).map { [DeliveryTarget(id: $0, address: $0)] } ?? []
    }

    var address: AddressField? {
      AddressField(member: "phone", limit: 20, problem: "expected a number such as +49301") { $0.hasPrefix("+") }
    }

    private func number(of recipient: Recipient) -> String? { recipient.addresses[channel]?.text }
  }

  private static let sms = Channel(rawValue: 4)
  private static let channels = Channel.routing + [SMSRouting()]
  private static let catalogue = Result {
    try Catalogue(
      overrides: """
        version: 1
        defaults: { channels: { inApp: true, sms: false }, priority: normal, timeToLiveDays: 30, title: T, body: B }
        types:
        - { code: 300, name: Texted, category: Tests, title: "Message {{n}}", body: Body }
        """,
      channels: channels
    )
  }

  private let ann = UserID(UUID())
  private let clock = TestClock()
  private let broker = TestRouter().broker
  private let queue: String

  init() throws {
    let known = WorkQueue.queues(of: SMSRouting())
    try #require(known.count == 1)
    queue = known[0].name
    broker.bind(queue, to: Topology.dispatchExchange, key: queue)
  }

  @Test func `a fourth channel is chosen, held, delivered, counted, explained, exported and erased`() async throws {
    try await TestDatabase.with(connections: 4) { client in
      try await choose(client)
      let id = try await hold(client)
      let message = try await release(client)
      try await deliver(message, client)
      try await explain(id, client)
      try await export(id, client)
      try await erase(client)
    }
  }

  @Test func `a send narrows to it, and who wants a type on it alone wants the type`() throws {
    let catalogue = try Self.catalogue.get()
    let body = #"{"to":{"users":["\#(ann)"]},"type":300,"data":{"n":"1"},"channels":["sms"]}"#
    let message = BrokerMessage(body: Array(body.utf8))
    guard
      case .submission(.request(let request, let type), _) = IngestDecoder(catalogue: catalogue)
        .decode(message, routingKey: Topology.requestKey, now: clock.now)
    else {
      Issue.record("expected a request")
      return
    }
    #expect(request.channels == [Self.sms])
    var recipient = Recipient(id: ann)
    recipient.typeChoices = ChannelChoices(inApp: false, push: false, email: false)
    #expect(!recipient.wants(type, among: catalogue.channels))
    recipient.typeChoices[Self.sms] = true
    #expect(recipient.wants(type, among: catalogue.channels))
    #expect(!recipient.wants(type, among: Channel.routing))
  }

  private func choose(_ client: PostgresClient) async throws {
    let catalogue = try Self.catalogue.get()
    let type = try #require(catalogue.type(.code(300)))
    #expect(type.channels[Self.sms] == false)
    var profile = UserStore.Profile(email: nil, displayName: nil, locale: nil, timezone: nil, isEnabled: nil)
    profile.addresses[Self.sms] = "+49 30 1"
    _ = try await UserStore(client: client, channels: Self.channels).put(profile, of: ann, at: clock.now)
    let pausedUntil = clock.now + 3_600
    let settings = try await SettingsStore(client: client).change(of: ann, in: catalogue.types, at: clock.now) {
      var choices = ChannelChoices()
      choices[Self.sms] = true
      $0.rows = $0.rows.setting(PreferenceRows(types: [300: choices]), in: catalogue.types)
      $0.pausedUntil = pausedUntil
    }
    #expect(settings.rows.effective(type)[Self.sms] == true)
    let key = RecipientStore.Key(ann, about: DecisionSubject(type: type, now: clock.now))
    let recipient = try #require(
      try await RecipientStore(client: client, channels: Self.channels).recipients(for: [key])[key]
    )
    #expect(recipient.typeChoices.channels == [Self.sms] && recipient.typeChoices[Self.sms] == true)
  }

  /// Routes a notification, which waits for the end of a pause.
  private func hold(_ client: PostgresClient) async throws -> NotificationID {
    let type = try #require(try Self.catalogue.get().type(.code(300)))
    let now = clock.now
    let content = NotificationContent(
      type: type,
      text: type.template.render(title: nil, body: nil, data: ["n": "1"]),
      data: [:],
      relatedEntityType: nil,
      relatedEntityId: nil,
      collapseKey: nil,
      createdAt: now,
      expiresAt: now + 86_400
    )
    let order = RoutingOrder(requestId: RequestID(now: now), content: content, channels: nil, recipients: [ann])
    let router = TestRouter.batchRouter(
      on: client,
      publisher: RouterPublisher(publisher: broker),
      channels: Self.channels
    )
    try await router.route([RoutingJob(type: type, order: order)], now: now)
    #expect(broker.messages(in: queue).isEmpty)
    let held = try await client.query("SELECT channel, reason FROM held WHERE user_id = \(ann)")
    #expect(try held.map { try $0.get(0, as: Int.self) } == [4])
    #expect(try held.map { try $0.get(1, as: Int16.self) } == [HoldReason.paused.rawValue])
    let history = try #require(
      try await HistoryStore(client: client).latest(of: ann, before: nil, limit: 2).first
    )
    #expect(history.plan[Self.sms]?.heldUntil != nil)
    #expect(history.plan[.push] == .skip(.preferenceOff))
    let words = Explanation(stored: history.plan, now: now, channels: Self.channels).lines.map(\.words)
    #expect(words.contains { $0.hasPrefix("sms held until ") }, "\(words)")
    return order.id(for: ann)
  }

  /// Takes what is due when the pause is over.
  private func release(_ client: PostgresClient) async throws -> DispatchMessage {
    let types = HeldTypes(CatalogueInForce(try Self.catalogue.get()))
    clock.advance(by: 3_601)
    let store = HeldStore(client: client)
    let worker = HeldWorker(
      store: store,
      processor: HeldProcessor(
        store: store,
        recipients: RecipientStore(client: client, channels: Self.channels),
        viewers: Viewers(store: PresenceStore(client: client), logger: .quiet),
        withdrawals: ScheduleStore(client: client),
        outcomes: DeliveryStore(client: client),
        publisher: RouterPublisher(publisher: broker),
        types: types,
        channels: Self.channels,
        clock: { [clock] in clock.now }
      ),
      types: types,
      logger: .quiet,
      clock: UncheckedClock { [clock] in clock.now }
    )
    while try await worker.takeBatch() {}
    #expect(try await client.query("SELECT FROM held").isEmpty)
    #expect(queue == "belfry.sms")
    let messages: [DispatchMessage] = try broker.messages(in: queue).map { try QueueCoder.decode(from: $0) }
    try #require(messages.count == 1)
    return messages[0]
  }

  /// Records what a dispatcher would.
  private func deliver(_ message: DispatchMessage, _ client: PostgresClient) async throws {
    let deliveries = message.deliveries
    #expect(deliveries.map(\.userId) == [ann])
    #expect(deliveries.flatMap(\.targets).map(\.address) == ["+49 30 1"])
    let store = DeliveryStore(client: client)
    try await store.record(
      deliveries.flatMap { delivery in
        delivery.targets.map { target in
          DeliveryStore.Record(
            userID: delivery.userId,
            notificationID: delivery.notificationId,
            channel: Self.sms,
            target: target.id,
            outcome: .delivered,
            attempts: 1,
            type: message.contents[delivery.content].type,
            createdAt: message.contents[delivery.content].createdAt
          )
        }
      }
    )
    let finished = try await store.finished(deliveries.map { ($0.userId, $0.notificationId) }, channel: Self.sms)
    #expect(finished.map(\.target) == ["+49 30 1"])
    let day = Int(clock.now.timeIntervalSince1970) / 86_400
    let report = try await StatStore(client: client).report(
      LocalDate(dayNumber: day - 1)...LocalDate(dayNumber: day),
      by: .channel
    )
    let row = try #require(report.rows.first { $0.key == 4 })
    #expect(row.counts.sent == 1 && row.counts.delivered == 1 && row.counts.failed == 0)
  }

  private func explain(_ id: NotificationID, _ client: PostgresClient) async throws {
    let history = try #require(try await HistoryStore(client: client).history(of: id, user: ann))
    #expect(history.plan[Self.sms] == .deliver)
    let lines = history.explanation(in: .utc, now: clock.now, channels: Self.channels).lines
    #expect(lines.first { $0.channel == Self.sms }?.words == "sms delivered to its only target")
    let numbers = try await RequestStore(client: client).numbers(of: history.requestID, limit: 10)
    #expect(numbers.channels[Self.sms]?.delivered == 1)
  }

  private func export(_ id: NotificationID, _ client: PostgresClient) async throws {
    let store = ExportStore(client: client, catalogue: try Self.catalogue.get())
    var export = try await store.begin(ann, at: clock.now)
    var bytes: [UInt8] = []
    while let piece = try await export.next() { bytes += piece }
    let json = try JSONParser.parse(bytes)
    let choice = try #require(json["preferences"]?.array?.first)
    #expect(json["profile"]?["phone"]?.string == "+49 30 1")
    #expect(choice["notificationType"]?.integer == 300)
    #expect(choice["smsEnabled"] == .boolean(true))
    #expect(choice["chosen"]?.array?.compactMap(\.string) == ["sms"])
    let delivery = try #require(json["deliveries"]?.array?.first)
    #expect(delivery["notificationId"]?.string == id.description)
    #expect(delivery["channelName"]?.string == "sms" && delivery["target"]?.string == "+49 30 1")
  }

  private func erase(_ client: PostgresClient) async throws {
    let tables = try await client.query(
      """
      SELECT c.relname::text FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
        AND a.attname = 'user_id' AND NOT a.attisdropped AND c.relname <> 'erased_users'
      """
    ).map { try $0.get(0, as: String.self) }
    func filled() async throws -> Set<String> {
      var filled: Set<String> = []
      for table in tables {
        let rows = try await client.query("SELECT FROM \(unescaped: table) WHERE user_id = \(ann) LIMIT 1")
        if !rows.isEmpty { filled.insert(table) }
      }
      return filled
    }
    #expect(try await filled().isSuperset(of: ["users", "preferences", "notifications", "deliveries", "inbox"]))
    _ = try await ErasureStore(client: client).erase(ann, by: "ops")
    #expect(try await filled() == [])
  }
}
