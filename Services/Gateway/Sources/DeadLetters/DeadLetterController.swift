import Authentication
import Broker
import Foundation
import Hummingbird
import BelfryJSON
import Logging
import NotificationModel
import NotificationQueue
import NotificationStore
import WallClock

/// `/api/v1/admin/dead-letters`: what was given up and dead-lettered, for operators without a way to the broker.
struct DeadLetterController {
  let desk: any DeadLetterDesk
  let audit: AuditStore
  private let turn: DeadLetterTurn

  /// How long a call may take further messages.
  private static let patience = Duration.seconds(10)
  private static let maximumIDs = 1_000
  /// The broker hands over what is skipped, too.
  private static let maximumSkip = 10_000
  private static let maximumBody = 2 * 1_024 * 1_024

  init(_ dependencies: GatewayDependencies) {
    desk = dependencies.deadLetters
    turn = dependencies.deadLetterTurn
    audit = AuditStore(client: dependencies.database)
  }

  var routes: [Route] {
    [
      .get("admin/dead-letters", .admin, list),
      .post("admin/dead-letters/redrive", .admin, redrive),
      .post("admin/dead-letters/discard", .admin, discard),
    ]
  }

  /// The oldest of them, queue after queue, and how many there are.
  func list(_ request: Request, context: GatewayContext) async throws -> Response {
    var query = QueryParameters(request)
    let pageSize = query.integer("pageSize", default: 20, in: 1...100)
    let skip = query.integer("skip", default: 0, in: 0...Self.maximumSkip)
    let queue = query.text("queue").map(DeadQueue.init(origin:))
    if queue == .some(nil) { query.problem("queue", DeadQueue.expectation) }
    try query.validate()
    let queues = queue.flatMap(\.self).map { [$0] } ?? DeadQueue.allCases
    let (total, found) = try await turn.take {
      var (total, found): (Int, [(DeadQueue, DeadMessage)]) = (0, [])
      for queue in queues {
        let count = try await desk.count(queue)
        let before = min(max(0, skip - total), count)
        total += count
        guard before < count, found.count < pageSize else { continue }
        found += try await desk.oldest(pageSize - found.count, after: before, of: queue).map { (queue, $0) }
      }
      return (total, found)
    }
    return .json { writer in
      writer.object { writer in
        writer.array("deadLetters") { writer in
          for (queue, message) in found {
            writer.object { message.write(to: &$0, queue: queue) }
          }
        }
        // What was dead-lettered meanwhile is there, too.
        writer.field("totalCount", found.isEmpty ? total : max(total, skip + found.count))
        writer.field("hasMore", total > skip + found.count)
      }
    }
  }

  func redrive(_ request: Request, context: GatewayContext) async throws -> Response {
    let selection = try await selection(request)
    let transfer = try await turn.take {
      try await note("deadLetters.redrive", selection, context)
      return try await desk.redrive(selection.queue, selection.ids, until: .now + Self.patience)
    }
    if let refusal = transfer.lastRefusal {
      context.logger.warning("dead letters stay where they are", metadata: ["error": "\(refusal)"])
    }
    return .json { writer in
      writer.object { writer in
        writer.field("redrivenCount", transfer.moved)
        writer.field("refusedCount", transfer.refused)
        writer.field("isComplete", transfer.isComplete)
      }
    }
  }

  func discard(_ request: Request, context: GatewayContext) async throws -> Response {
    let selection = try await selection(request)
    let (count, isComplete) = try await turn.take {
      try await note("deadLetters.discard", selection, context)
      return try await desk.discard(selection.queue, selection.ids, until: .now + Self.patience)
    }
    return .json { writer in
      writer.object { writer in
        writer.field("discardedCount", count)
        writer.field("isComplete", isComplete)
      }
    }
  }

  private func selection(_ request: Request) async throws -> Selection {
    // A thousand ids of 255 bytes each, as JSON may write them.
    try await RequestBody.read(of: request, maximum: Self.maximumBody)
  }

  /// Before the act: whatever comes of it, nothing happens that is not written down.
  private func note(_ action: String, _ selection: Selection, _ context: GatewayContext) async throws {
    let detail = JSONMember(name: "ids", value: selection.json, range: 0..<0)
    try await audit.write(
      actor: context.subject,
      action: action,
      subject: selection.queue.origin,
      detail: .object([detail]),
      requestID: context.requestID
    )
  }

  struct Selection: FieldReadable {
    let queue: DeadQueue
    /// Nil is all that are dead-lettered.
    let ids: Set<String>?

    init?(_ reader: FieldReader) {
      reader.refuseUnknown(known: ["queue", "ids"])
      let name = reader.required("queue", String.self, expected: "a string")
      let queue = name.flatMap(DeadQueue.init(origin:))
      if name != nil, queue == nil { reader.problem("queue", DeadQueue.expectation) }
      // Left out by mistake it must not mean all of them.
      if !reader.names.contains("ids") { reader.problem("ids", "is required; null means all that are dead-lettered") }
      let ids = reader.optional("ids", [String].self, expected: "a list of ids, or null") ?? []
      if ids.count > DeadLetterController.maximumIDs {
        reader.problem("ids", "has \(ids.count) entries; at most \(DeadLetterController.maximumIDs) are allowed")
      }
      for (index, id) in ids.enumerated() where id.isEmpty || id.utf8.count > 255 || id.hasControl() {
        reader.problem("ids[\(index)]", "expected an id as the list tells it")
      }
      guard let queue else { return nil }
      self.queue = queue
      self.ids = reader.isPresent("ids") ? Set(ids) : nil
    }

    var json: JSONValue { ids.map { .array($0.sorted().map { .string($0) }) } ?? .null }
  }
}

extension DeadQueue {
  /// By the work queue's name; nil if it has no dead-letter queue.
  fileprivate init?(origin: String) {
    guard let found = Self.allCases.first(where: { $0.origin == origin }) else { return nil }
    self = found
  }

  fileprivate static var expectation: String { "expected one of \(allCases.map(\.origin).joined(separator: ", "))" }
}

extension DeadMessage {
  /// Fields of an object that is begun. Whatever lies there anybody may have published.
  fileprivate func write(to writer: inout JSONWriter, queue: DeadQueue) {
    writer.field("id", id)
    writer.field("queue", queue.origin)
    writer.field("reason", String(reason.prefix(1_000)))
    writer.nullableField("messageType", message.type)
    writer.nullableField("appId", message.appID)
    let attempts = text(DeadLetter.attemptsHeader).flatMap(Int.init).flatMap { $0 < 0 ? nil : $0 }
    if let attempts { writer.field("attempts", attempts) } else { writer.nullableField("attempts", nil) }
    writer.nullableField("deadAt", text(DeadLetter.timeHeader).flatMap(Date.init(rfc3339:))?.rfc3339)
    writer.field("size", message.body.count)
  }
}
