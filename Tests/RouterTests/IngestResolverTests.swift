import Broker
import Foundation
import BelfryJSON
import NotificationModel
import NotificationQueue
import Rules
import Testing

@testable import NotificationStore
@testable import Router

/// What is done about a message, whatever it is and however it came by its id.
@Suite struct IngestResolverTests {
  private static let now = Date(timeIntervalSince1970: 1_800_000_000)
  private static let user = UserID(UUID())
  private static let day: TimeInterval = 86_400

  private let decoder: IngestDecoder
  private let resolver: IngestResolver
  private let id = RequestID(now: now - 60)

  init() throws {
    decoder = IngestDecoder(catalogue: try TestRouter.catalogue.get())
    resolver = IngestResolver(catalogue: decoder.catalogue, retention: .seconds(30 * Self.day), now: Self.now)
  }

  /// How a message's id is known.
  enum Origin: CaseIterable {
    case gateway
    case key
  }

  private func message(_ body: String, id: String? = nil, type: String? = nil, app: String = "shop") -> BrokerMessage {
    BrokerMessage(body: Array(body.utf8), messageID: id, type: type, appID: app)
  }

  private func resolve(_ message: BrokerMessage, key: String = "request") -> IngestResolver.Resolution {
    resolver.resolve(decoder.decode(message, routingKey: key, now: Self.now), from: message)
  }

  /// - Parameter isSameBody: Whether the key, if it has one, was used for that before.
  private func outcome(
    _ body: String,
    _ origin: Origin,
    as id: RequestID,
    event: Bool = false,
    isSameBody: Bool = true
  ) -> IngestOutcome {
    let kind: IngestKind = event ? .event : .request
    let message =
      switch origin {
      case .gateway: message(body, id: id.description, type: kind.messageType)
      case .key: message(body, id: "order-7")
      }
    switch resolve(message, key: kind.routingKey) {
    case .outcome(let outcome): return outcome
    case .keyed(let submission):
      let entry = IdempotencyStore.Entry(requestID: id, isSameBody: isSameBody, isConfirmed: false, isNew: false)
      return resolver.outcome(of: submission, as: entry, from: message)
    }
  }

  private func outcome(of message: BrokerMessage, key: String = "request") throws -> IngestOutcome {
    guard case .outcome(let outcome) = resolve(message, key: key) else { throw CocoaError(.coderInvalidValue) }
    return outcome
  }

  private func request(_ more: String = "") -> String { #"{"to":{"users":["\#(Self.user)"]},"type":12\#(more)}"# }

  private func deadLetter(_ outcome: IngestOutcome) -> String? {
    switch outcome {
    case .deadLetter(let reason), .refuse(let reason): reason
    default: nil
    }
  }

  private func routed(_ outcome: IngestOutcome) -> AudienceJob? {
    if case .route(let job) = outcome { job } else { nil }
  }

  // MARK: Requests

  @Test(arguments: Origin.allCases) func `a request is routed as its id and owner say`(_ origin: Origin) throws {
    let job = try #require(routed(outcome(request(), origin, as: id)))
    #expect(job.order.requestId == id)
    #expect(job.order.owner == .named("shop"))
    #expect(job.order.content.createdAt == Self.now - 60)
    #expect(job.order.recipients.isEmpty)
    #expect(job.audience == .users([Self.user]))
    #expect(job.zones == nil)
    #expect(job.type.code == 12)
    #expect(job.job(for: [Self.user]).order.recipients == [Self.user])
  }

  @Test(arguments: Origin.allCases) func `numbers of a request's data are numbers of its notification`(_ origin: Origin)
    throws
  {
    let job = try #require(routed(outcome(request(#","data":{"amount":10.50,"id":"7","on":true}"#), origin, as: id)))
    #expect(job.order.content.data == ["amount": "10.50", "id": "7", "on": "true"])
    #expect(job.order.content.literals == ["amount", "on"])
  }

  @Test(arguments: Origin.allCases) func `what an id from the future names is of now`(_ origin: Origin) throws {
    let job = try #require(routed(outcome(request(), origin, as: RequestID(now: Self.now + 600))))
    #expect(job.order.content.createdAt == Self.now)
  }

  @Test(arguments: Origin.allCases) func `a request for later waits as it came`(_ origin: Origin) throws {
    let body = request(#","sendAt":"2027-01-15T09:00:00Z""#)
    guard case .schedule(let send) = outcome(body, origin, as: id) else {
      Issue.record("expected to wait")
      return
    }
    #expect(send.id == id)
    #expect(send.owner == .named("shop"))
    #expect(send.definition == body)
    #expect(send.sendAt == Self.now + 3_600)
  }

  @Test(arguments: Origin.allCases) func `a request whose time has come before its acceptance is routed`(
    _ origin: Origin
  ) {
    #expect(routed(outcome(request(#","sendAt":"2027-01-15T07:00:00Z""#), origin, as: id)) != nil)
  }

  @Test(arguments: Origin.allCases) func `a request that would wait for more than a year is dead-lettered`(
    _ origin: Origin
  ) {
    let outcome = outcome(request(#","sendAt":"2028-02-01T00:00:00Z""#), origin, as: id)
    #expect(deadLetter(outcome) == "invalid: sendAt: is more than a year ahead")
  }

  @Test func `a request of which nothing is kept is dead-lettered, whether a router has begun it or its key is old`()
    throws
  {
    let old = RequestID(now: Self.now - 30 * Self.day)
    let reason = "invalid: the request is of 2026-12-16T08:00:00.000Z, which is not kept"
    #expect(deadLetter(outcome(request(), .key, as: old)) == reason)
    var begun = message(request(), id: old.description, type: "belfry.request")
    begun.bookmark = Self.user
    #expect(deadLetter(try outcome(of: begun)) == reason)
    #expect(routed(outcome(request(), .key, as: RequestID(now: Self.now - 29 * Self.day))) != nil)
  }

  @Test(arguments: [false, true]) func `a key that stands for another body dead-letters what came with it`(
    _ isEvent: Bool
  ) {
    let body = isEvent ? Self.quiet : request()
    let outcome = outcome(body, .key, as: id, event: isEvent, isSameBody: false)
    #expect(deadLetter(outcome) == "message-id 'order-7' was used before with another body")
  }

  @Test func `a claim names the sender, its key and the body`() throws {
    let message = message(request(), id: "order-7")
    guard case .keyed(let submission) = resolve(message) else { throw CocoaError(.coderInvalidValue) }
    let claim = submission.claim(for: message, now: Self.now)
    #expect(claim.scope == "amqp:shop")
    #expect(claim.key == "order-7")
    #expect(claim.requestID.time == Self.now)
    #expect(claim.bodyHash.count == 32)
  }

  @Test func `what came without an id is put back as what it is`() throws {
    guard case .stamp(.request) = try outcome(of: message(request())),
      case .stamp(.event) = try outcome(of: message(Self.quiet), key: "event")
    else {
      Issue.record("expected stamps")
      return
    }
  }

  @Test func `what no router can know is dead-lettered, what another may know is set aside`() throws {
    let unknown = request().replacing(":12", with: ":77")
    let reason = "invalid: type: 77 is not in the catalogue"
    #expect(deadLetter(try outcome(of: message(unknown, id: id.description))) == reason)
    let accepted = message(unknown, id: id.description, type: "belfry.request", app: "belfry-gateway")
    guard case .postpone(reason) = try outcome(of: accepted) else {
      Issue.record("expected to be set aside")
      return
    }
  }

  // MARK: What routers publish

  private func scheduled(at time: Date) throws -> IngestOutcome {
    let send = ScheduledSend(
      requestId: RequestID(now: Self.now - 400 * Self.day),
      at: time,
      zones: ["Europe/Berlin"],
      owner: .named("office"),
      request: try JSONParser.parse(Array(request().utf8))
    )
    return try outcome(of: BrokerMessage(body: QueueCoder.encode(send), type: ScheduledSend.messageType))
  }

  @Test func `what has come due is routed as of then, however long it has waited`() throws {
    let job = try #require(routed(try scheduled(at: Self.now - 5)))
    #expect(job.zones == ["Europe/Berlin"])
    #expect(job.order.owner == .named("office"))
    #expect(job.order.at == Self.now - 5)
    #expect(job.order.content.createdAt == Self.now - 5)
    #expect(deadLetter(try scheduled(at: Self.now - 31 * Self.day))?.hasSuffix("which is not kept") == true)
  }

  private func notice(at time: Date) throws -> IngestOutcome {
    let body = """
      {"v":1,"requestId":"\(RequestID(now: time))","type":"AllowanceResumed","to":{"group":"family:1","except":[]},"data":{}}
      """
    return try outcome(of: message(body, type: NoticeRequest.messageType, app: "belfry-router"))
  }

  @Test func `a rule's notice is routed as a send is`() throws {
    let job = try #require(routed(try notice(at: Self.now)))
    #expect(job.audience == .group("family:1", except: []))
    #expect(job.order.content.title == "Allowance Resumed")
    #expect(job.order.content.createdAt == Self.now)
    #expect(deadLetter(try notice(at: Self.now - 31 * Self.day))?.hasSuffix("which is not kept") == true)
  }

  private func order(of id: RequestID, at time: Date? = nil) throws -> IngestOutcome {
    var order = try #require(routed(outcome(request(), .gateway, as: self.id))).job(for: [Self.user]).order
    order.requestId = id
    order.at = time
    return try outcome(of: BrokerMessage(body: QueueCoder.encode(order), type: order.messageType))
  }

  @Test func `a part of a large audience is routed unless its request is withdrawn`() throws {
    let old = RequestID(now: Self.now - 400 * Self.day)
    guard case .routeOrder(let job) = try order(of: id), case .routeOrder = try order(of: old, at: Self.now) else {
      Issue.record("expected orders")
      return
    }
    #expect(job.order.requestId == id)
    #expect(job.order.recipients == [Self.user])
    #expect(deadLetter(try order(of: old))?.hasSuffix("which is not kept") == true)
  }

  // MARK: Events

  @Test func `an event that no rule looks at is relayed, and needs no id`() throws {
    let body = #"{"name":"GoalReached","audience":{"group":"family:1"},"payload":{}}"#
    guard case .relay(let event) = try outcome(of: message(body), key: "event") else {
      Issue.record("expected a relay")
      return
    }
    #expect(event.audience == .group("family:1", except: []))
  }

  private static let quiet = #"{"name":"GoalUpdated","payload":{}}"#
  private static let relayed = """
    {"name":"BalanceUpdated","audience":{"group":"family:1"},"payload":{"childId":"c","newBalance":1}}
    """

  private func identified(_ body: String, _ origin: Origin = .gateway) throws -> IdentifiedEvent {
    guard case .evaluate(let event) = outcome(body, origin, as: id, event: true) else {
      throw CocoaError(.coderInvalidValue)
    }
    return event
  }

  @Test(arguments: Origin.allCases) func `an event that rules look at is evaluated under its id`(
    _ origin: Origin
  ) throws {
    let event = try identified(Self.quiet, origin)
    #expect(event.event.id == id.description)
    #expect(event.event.intake == Self.now - 60)
    #expect(event.relay == nil)
  }

  @Test func `what is evaluated is relayed after that, or finished`() throws {
    let own = message("")
    guard case .finished = resolver.outcome(of: try identified(Self.quiet), after: nil, from: own) else {
      Issue.record("expected it to be finished")
      return
    }
    let relayed = try identified(Self.relayed)
    guard case .relay(let event) = resolver.outcome(of: relayed, after: nil, from: own) else {
      Issue.record("expected a relay")
      return
    }
    #expect(event.type.name == "BalanceUpdated")
  }

  @Test func `what a rule refuses is set aside if a gateway accepted it, else dead-lettered`() throws {
    let refusal = try #require(throws: RuleRefusal.self) {
      try RuleEvent(id: "", name: "E", payload: .object([]), intake: Self.now, occurredAt: Self.now)
    }
    let event = try identified(Self.relayed)
    #expect(deadLetter(resolver.outcome(of: event, after: refusal, from: message(""))) == "invalid: \(refusal)")
    let accepted = message("", type: "belfry.event", app: "belfry-gateway")
    guard case .postpone("invalid: \(refusal)") = resolver.outcome(of: event, after: refusal, from: accepted) else {
      Issue.record("expected to be set aside")
      return
    }
  }

  // MARK: The plan

  @Test func `a plan knows each message by its position in the batch`() throws {
    var plan = IngestPlan()
    let job = try #require(routed(outcome(request(), .gateway, as: id)))
    let relayed = try identified(Self.relayed)
    plan.add(.finished, at: 9)
    plan.add(.route(job), at: 8)
    plan.add(.routeOrder(job.job(for: [Self.user])), at: 7)
    plan.add(outcome(request(#","sendAt":"2027-01-15T09:00:00Z""#), .key, as: id), at: 6)
    plan.add(.evaluate(relayed), at: 5)
    plan.add(.relay(try #require(relayed.relay)), at: 4)
    plan.add(.stamp(.event), at: 3)
    plan.add(.postpone(reason: "later"), at: 2)
    plan.add(.deadLetter(reason: "never"), at: 1)
    plan.add(.deadLetter(reason: "nor this"), at: 0)
    #expect(plan.finished == [9])
    #expect(plan.sends.map(\.index) == [8])
    #expect(plan.orders.map(\.index) == [7])
    #expect(plan.scheduled.map(\.index) == [6])
    #expect(plan.events.map(\.index) == [5])
    #expect(plan.relays.map(\.index) == [4])
    #expect(plan.unstamped.map(\.index) == [3])
    #expect(plan.postponed.map { "\($0.index) \($0.value)" } == ["2 later"])
    #expect(plan.deadLetters.map { "\($0.index) \($0.value)" } == ["1 never", "0 nor this"])
  }
}
