import Authentication
import Broker
import Foundation
import Hummingbird
import BelfryJSON
import NotificationModel
import NotificationQueue
import NotificationStore
import UserIdentity

/// `POST /api/v1/notifications/bulk`: many sends in one call, each evaluated by itself.
struct BulkController {
  let catalogue: Catalogue
  let acceptance: Acceptance
  let idempotency: IdempotencyStore
  let clock: @Sendable () -> Date

  /// Bytes of a call; an item has no more than a send.
  static let maximumBody = 8 * 1_024 * 1_024
  static let maximumItems = 1_000
  /// Items of unknown types that get advice on what was meant.
  private static let advised = 10
  /// User ids that a call may name, beside UUIDs that stand for no text; as many as a list of members has.
  static let maximumContested = 200_000
  /// Messages that wait for the broker's confirm at the same time.
  private static let concurrency = 100

  init(_ dependencies: GatewayDependencies) {
    catalogue = dependencies.catalogue
    acceptance = Acceptance(dependencies)
    idempotency = IdempotencyStore(client: dependencies.database)
    clock = dependencies.clock
  }

  var routes: [Route] {
    [
      .post("notifications/bulk", .service(.send), send)
    ]
  }

  func send(_ request: Request, context: GatewayContext) async throws -> Response {
    let body = try await RequestBody.bytes(of: request, maximum: Self.maximumBody)
    let items = try FieldReader.read(Items.self, from: body).values
    let now = clock()
    let owner = context.owner
    guard let key = try IdempotencyKey(request, scope: "rest-bulk:\(context.subject)") else {
      let call = NotificationModel.RequestID(now: now)
      return Self.answer(try await accept(claim(evaluate(items, of: call)), of: owner))
    }
    let keys = IdempotentAcceptance(idempotency: idempotency)
    let entry = try await keys.claim(key, for: body, now: now)
    if entry.isConfirmed { return Self.answer(accepted(items, of: entry.requestID)) }
    let results = try await accept(claim(evaluate(items, of: entry.requestID)), of: owner)
    // With a result that may be another next time (the broker is back, the catalogue knows the type), all is tried again then:
    // what was accepted has the same id, and is not stored twice.
    if results.allSatisfy(\.isAccepted) { await keys.confirm(key, logger: context.logger) }
    return Self.answer(results)
  }

  // MARK: Evaluating

  struct Items: FieldReadable {
    let values: [JSONValue]

    init?(_ reader: FieldReader) {
      reader.refuseUnknown(known: ["items"])
      guard let values = reader.json["items"]?.array else {
        reader.problem("items", reader.isPresent("items") ? "expected a list of sends" : "is required")
        return nil
      }
      guard (1...maximumItems).contains(values.count) else {
        reader.problem("items", "has \(values.count) entries; 1 to \(maximumItems) are allowed")
        return nil
      }
      self.values = values
    }
  }

  /// An item that can be carried out.
  private struct Item {
    let id: NotificationModel.RequestID
    let body: [UInt8]
    /// Nil is at once.
    let sendAt: Date?
    /// Whose ids others may stand for as well.
    let contestedUsers: [UserIdentifier]
  }

  fileprivate enum Result {
    case accepted(NotificationModel.RequestID)
    case scheduled(NotificationModel.RequestID)
    case invalid([FieldError])
    /// What became of it, in words.
    case unavailable(String)

    var isAccepted: Bool {
      switch self {
      case .accepted, .scheduled: true
      case .invalid, .unavailable: false
      }
    }
  }

  /// The same id for the same item of the same call, however often it is repeated.
  private static func id(
    _ index: Int,
    of call: NotificationModel.RequestID
  ) -> NotificationModel.RequestID {
    NotificationModel.RequestID(
      time: call.time ?? Date(timeIntervalSince1970: 0),
      hashing: Array("\(call) \(index)".utf8)
    )
  }

  private func evaluate(
    _ values: [JSONValue],
    of call: NotificationModel.RequestID
  ) -> [Swift.Result<Item, ValidationError>] {
    var (contested, unknown) = (0, 0)
    return values.enumerated().map { index, value in
      Swift.Result { () throws(ValidationError) in
        let item = try evaluate(value, at: index, Self.id(index, of: call), unknown: &unknown)
        guard contested + item.contestedUsers.count <= Self.maximumContested else {
          let message =
            "all items together name more than \(Self.maximumContested) user ids: send the rest in another call"
          throw ValidationError([FieldError("to", message)])
        }
        contested += item.contestedUsers.count
        return item
      }
    }
  }

  private func evaluate(
    _ value: JSONValue,
    at index: Int,
    _ id: NotificationModel.RequestID,
    unknown: inout Int
  ) throws(ValidationError) -> Item {
    let send = try FieldReader.read(SendRequest.self, from: value, routing: catalogue.channels)
    if catalogue.type(send.type) == nil {
      unknown += 1
      // Which name was meant costs a look at all of them.
      guard unknown <= Self.advised else {
        throw ValidationError([FieldError("type", "\(send.type) is not in the catalogue")])
      }
    }
    try send.accept(in: catalogue)
    if let time = id.time { try send.checkTime(since: time) }
    var writer = JSONWriter()
    writer.value(value)
    guard writer.bytes.count <= RequestBody.maximum else {
      let message = "has \(writer.bytes.count) bytes; at most \(RequestBody.maximum) are allowed"
      throw ValidationError([FieldError("items[\(index)]", message)])
    }
    let sendAt = Acceptance.instant(of: send, id)
    let body = sendAt == nil ? writer.bytes : send.stored(writer.bytes)
    return Item(id: id, body: body, sendAt: sendAt, contestedUsers: send.contestedUsers)
  }

  /// Makes those known whom the items name, all at once; items whose people are others' are invalid.
  private func claim(
    _ items: [Swift.Result<Item, ValidationError>]
  ) async throws -> [Swift.Result<Item, ValidationError>] {
    let now = clock()
    let claims = items.compactMap { try? $0.get() }.flatMap { item in
      item.contestedUsers.map { ($0, item.id.time ?? now) }
    }
    let refused = try await acceptance.identities.store.claim(claims)
    guard !refused.isEmpty else { return items }
    return items.map { item in
      guard let taken = try? item.get().contestedUsers.filter(refused.contains), !taken.isEmpty else { return item }
      return .failure(ValidationError([FieldError("to", Problem.detail(of: Set(taken)))]))
    }
  }

  /// Of a call in which every item was accepted: what the catalogue has lost since was accepted all the same.
  private func accepted(_ values: [JSONValue], of call: NotificationModel.RequestID) -> [Result] {
    values.enumerated().map { index, value in
      let id = Self.id(index, of: call)
      let send = try? FieldReader.read(SendRequest.self, from: value, routing: catalogue.channels)
      return send.flatMap { Acceptance.instant(of: $0, id) } == nil ? .accepted(id) : .scheduled(id)
    }
  }

  // MARK: Accepting

  /// - Throws: ``BrokerError`` if the broker took none and nothing else was accepted; what the database throws, before
  ///   anything is published.
  private func accept(_ items: [Swift.Result<Item, ValidationError>], of owner: RequestOwner) async throws -> [Result] {
    // What is wrong with the others is reported in their results.
    let good = items.compactMap { try? $0.get() }
    let waiting = good.compactMap { item in
      item.sendAt.map {
        ScheduleStore.WaitingSend(
          id: item.id,
          owner: owner,
          definition: String(decoding: item.body, as: UTF8.self),
          sendAt: $0,
          catalogueVersion: acceptance.ingest.catalogueVersion
        )
      }
    }
    try await acceptance.schedules.store(waiting, now: clock())
    let published = await publish(good.filter { $0.sendAt == nil }, of: owner)
    if waiting.isEmpty, !published.isConfirmed, let failure = published.failure { throw failure }
    return items.map { item in
      switch item {
      case .failure(let error): .invalid(error.errors)
      case .success(let item):
        if let fate = published.fates[item.id] {
          .unavailable(fate)
        } else {
          item.sendAt == nil ? .accepted(item.id) : .scheduled(item.id)
        }
      }
    }
  }

  private struct Published {
    /// What became of those that the broker did not confirm.
    var fates: [NotificationModel.RequestID: String] = [:]
    var failure: BrokerError?
    /// Whether the broker confirmed any.
    var isConfirmed = false
  }

  /// Publishes some at a time. After a failure no more are begun: each of a thousand would wait for a broker that is gone.
  private func publish(_ items: [Item], of owner: RequestOwner) async -> Published {
    let ingest = acceptance.ingest
    return await withTaskGroup(of: (NotificationModel.RequestID, BrokerError?).self) { group in
      var published = Published()
      var rest = items[...]
      func begin() {
        guard let item = rest.popFirst() else { return }
        group.addTask {
          do throws(BrokerError) {
            try await ingest.publish(item.body, as: .request, id: item.id, of: owner)
            return (item.id, nil)
          } catch {
            return (item.id, error)
          }
        }
      }
      for _ in 0..<Self.concurrency { begin() }
      while let (id, failure) = await group.next() {
        if let failure {
          published.fates[id] = failure.fate
          published.failure = published.failure ?? failure
        } else {
          published.isConfirmed = true
        }
        if published.failure == nil { begin() }
      }
      for item in rest { published.fates[item.id] = "the message broker is not available; it was not tried" }
      return published
    }
  }

  // MARK: Answering

  private static func answer(_ results: [Result]) -> Response {
    .json { writer in
      writer.object { writer in
        writer.array("results") { writer in
          for (index, result) in results.enumerated() {
            writer.object { result.write(index, to: &$0) }
          }
        }
      }
    }
  }
}

extension BulkController.Result {
  /// Fields of an object that is begun.
  fileprivate func write(_ index: Int, to writer: inout JSONWriter) {
    func write(_ status: String, _ errors: [FieldError]) {
      writer.field("status", status)
      writer.array("errors") { writer in
        for error in errors {
          writer.object { writer in
            writer.field("field", error.field)
            writer.field("message", error.message)
          }
        }
      }
    }
    writer.field("index", index)
    switch self {
    case .accepted(let id):
      writer.field("status", "accepted")
      writer.field("requestId", id.description)
    case .scheduled(let id):
      writer.field("status", "scheduled")
      writer.field("requestId", id.description)
    case .invalid(let errors): write("invalid", errors)
    case .unavailable(let fate): write("unavailable", [FieldError("items[\(index)]", fate)])
    }
  }
}
