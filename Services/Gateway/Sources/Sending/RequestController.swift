import Authentication
import Foundation
import Hummingbird
import BelfryJSON
import NotificationModel
import NotificationQueue
import NotificationStore
import WallClock

/// `GET` and `DELETE /api/v1/requests/{id}`: what became of a send, in numbers, and how the part of it that waits is withdrawn, or
/// all of it.
struct RequestController {
  let schedules: ScheduleStore
  let requests: RequestStore
  let topics: TopicDeliveryStore
  let audit: AuditStore
  let realtime: RealtimePublisher
  let channels: [any RoutingChannel]
  let clock: @Sendable () -> Date

  /// Recipients who are counted: some hundred milliseconds of the database's time. Of more, the numbers are those of so many.
  static let countedRecipients = 20_000
  /// Notifications that one call withdraws: some seconds of the database's time.
  static let withdrawnNotifications = 100_000

  init(_ dependencies: GatewayDependencies) {
    schedules = ScheduleStore(client: dependencies.database)
    requests = RequestStore(client: dependencies.database)
    topics = TopicDeliveryStore(client: dependencies.database)
    audit = AuditStore(client: dependencies.database)
    realtime = dependencies.realtime
    channels = dependencies.channels
    clock = dependencies.clock
  }

  var routes: [Route] {
    [
      .get("requests/:id", .service(.read), get),
      .delete("requests/:id", .service(.send), cancel),
    ]
  }

  func get(_ request: Request, context: GatewayContext) async throws -> Response {
    let id = try id(context)
    let owner = context.ownerInSight()
    let owners = try await requests.owners(of: id)
    switch RequestStore.Ownership(owners, for: owner) {
    case .notYours, .unnamed: throw Problem.notRouted
    case .notStored:
      guard let state = try await schedules.state(of: id, of: owner) else { throw Problem.notRouted }
      return Self.answer(id, state)
    case .yours: break
    }
    let withdrawnAt = try await schedules.withdrawal(of: id, ownedBy: owners)
    // One more, to know whether these are all.
    let numbers = try await requests.numbers(of: id, limit: Self.countedRecipients + 1)
    // A request to people has none.
    let topic = numbers.recipients == 0 ? try await topics.delivery(of: id) : nil
    return .json { writer in
      writer.object { writer in
        writer.field("requestId", id.description)
        writer.field("status", "accepted")
        if let withdrawnAt { writer.field("cancelledAt", withdrawnAt.rfc3339) }
        let isComplete = numbers.recipients <= Self.countedRecipients
        numbers.write(to: &writer, isComplete: isComplete, among: channels)
        if let topic { writer.object("topicDelivery") { topic.write(to: &$0) } }
      }
    }
  }

  /// Answers how much will not be sent that would have been. Of a request that was withdrawn, known here or not, what waits or
  /// lies in chunks is left out later too; what a router sends to few people at once is sent all the same.
  func cancel(_ request: Request, context: GatewayContext) async throws -> Response {
    let id = try id(context)
    var query = QueryParameters(request)
    let takesOut = query.boolean("withdraw", default: false)
    try query.validate()
    let owner = context.ownerInSight()
    let ownership = try await requests.ownership(of: id, for: owner)
    // Of what nobody is named for, as of what rules send, an admin decides: a name could not be compared with any.
    if [.notYours, .unnamed].contains(ownership) { throw Problem.notFound }
    if owner == nil, try await !isOwn(id, context) {
      try await audit.write(takesOut ? "request.withdraw" : "request.cancel", subject: id.description, by: context)
    }
    // From here on routers leave out what comes due, also of what they store meanwhile.
    let found = try await schedules.withdraw(id, of: owner, now: clock())
    if found == .notYours { throw Problem.notFound }
    var withdrawal = RequestStore.Withdrawal()
    if found == .withdrawn {
      withdrawal.count = 1
    } else if ownership == .yours {
      withdrawal =
        try await takesOut
        ? withdraw(id, context) : requests.withdrawWaiting(of: id, limit: Self.withdrawnNotifications)
    }
    // A repetition, as after a lost answer, hears of what the first has come to.
    let isCancelled = found == .withdrawn || found == .withdrawnBefore && ownership == .notStored
    return .json { [withdrawal] writer in
      writer.object { writer in
        writer.field("cancelledCount", withdrawal.count)
        if takesOut { writer.field("withdrawnCount", withdrawal.withdrawnCount) }
        writer.field("isComplete", withdrawal.isComplete)
        writer.field("status", isCancelled ? "cancelled" : "accepted")
      }
    }
  }

  /// Whether it is known to be the caller's, who may know of everybody's.
  private func isOwn(_ id: NotificationModel.RequestID, _ context: GatewayContext) async throws -> Bool {
    let caller = context.subject
    return switch try await requests.ownership(of: id, for: caller) {
    case .yours: true
    case .notYours, .unnamed: false
    case .notStored: try await schedules.state(of: id, of: caller) != nil
    }
  }

  /// Takes it out of inboxes too, and publishes that to their open connections as it goes, so that who is first does not wait for who is
  /// last, and an end halfway leaves nobody out. While the broker is away it is asked once more, at the end.
  private func withdraw(_ id: NotificationModel.RequestID, _ context: GatewayContext) async throws
    -> RequestStore.Withdrawal
  {
    var unpublished: [RequestStore.Withdrawn] = []
    var isHeard = true
    do {
      let withdrawal = try await requests.withdraw(id, limit: Self.withdrawnNotifications) { gone in
        unpublished += gone
        guard isHeard else { return }
        isHeard = await publish(unpublished, context)
        if isHeard { unpublished = [] }
      }
      await publish(unpublished, context)
      return withdrawal
    } catch {
      await publish(unpublished, context)
      throw error
    }
  }

  /// - Returns: Whether all was published.
  @discardableResult
  private func publish(_ gone: [RequestStore.Withdrawn], _ context: GatewayContext) async -> Bool {
    await realtime.logging(to: context.logger).publish(
      changes: gone.map { RealtimeMessage.Change(userId: $0.user, state: .deleted($0.id)) },
      contents: [],
      events: gone.map { RealtimeMessage.Event(.unread, userId: $0.user, unread: $0.unread) }
    )
  }

  private func id(_ context: GatewayContext) throws -> NotificationModel.RequestID {
    let id: NotificationModel.RequestID = try context.identifier()
    guard id.time != nil else { throw Problem.notFound }
    return id
  }

  /// Of what nothing was stored for anybody.
  private static func answer(_ id: NotificationModel.RequestID, _ state: ScheduleStore.RequestState) -> Response {
    .json { writer in
      writer.object { writer in
        writer.field("requestId", id.description)
        switch state {
        case .scheduled(let sendAt):
          writer.field("status", "scheduled")
          writer.field("sendAt", sendAt.rfc3339)
        case .released:
          writer.field("status", "accepted")
        case .withdrawn(let at):
          writer.field("status", "cancelled")
          writer.field("cancelledAt", at.rfc3339)
        }
      }
    }
  }
}

extension Problem {
  /// 404 of a request: the same for one that somebody else has sent, of which nobody learns that there is one.
  fileprivate static let notRouted = {
    var problem = Problem(
      .notFound,
      .notFound,
      "There is no such resource",
      detail: "not routed yet, or not yours"
    )
    problem.extraHeaders[.retryAfter] = "1"
    return problem
  }()
}

extension TopicDelivery {
  /// Fields of an object that is begun.
  fileprivate func write(to writer: inout JSONWriter) {
    writer.field("audience", audience)
    writer.field("target", target)
    writer.field(
      "outcome",
      delivery.map { DeliveryOutcome(rawValue: $0.outcome)?.name ?? String($0.outcome) } ?? "pending"
    )
    writer.nullableField("reason", delivery?.reason)
    writer.nullableField("providerId", delivery?.providerID)
    writer.field("attempts", delivery?.attempts ?? 0)
    writer.nullableField("at", delivery?.finishedAt.rfc3339)
  }
}

extension RequestNumbers {
  /// Fields of an object that is begun.
  fileprivate func write(to writer: inout JSONWriter, isComplete: Bool, among names: [any RoutingChannel]) {
    writer.field("recipients", recipients)
    writer.field("isComplete", isComplete)
    writer.object("channels") { writer in
      for (channel, line) in channels.sorted(by: { $0.key < $1.key }) {
        writer.dynamicKey(channel.name(among: names))
        writer.object { line.write(to: &$0) }
      }
    }
  }
}

extension RequestNumbers.Line {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.field("delivered", delivered)
    writer.field("pending", pending)
    writer.field("held", held)
    writer.field("failed", failed)
    writer.object("skipped") { writer in
      for (reason, count) in skipped.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
        writer.dynamicKey(reason.name)
        writer.integer(count)
      }
    }
  }
}
