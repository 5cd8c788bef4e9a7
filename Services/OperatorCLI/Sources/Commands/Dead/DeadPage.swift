import Broker
import BelfryJSON
import NotificationQueue

/// A part of what is dead-lettered, as a list shows it: why, not what.
struct DeadPage {
  struct Entry {
    let id: String
    let reason: String
    let type: String?
    let appID: String?
    let attempts: String?
    let deadAt: String?
    /// One line.
    let summary: String

    init(_ message: DeadMessage) {
      id = message.id
      reason = message.reason
      type = message.message.type
      appID = message.message.appID
      attempts = message.text(DeadLetter.attemptsHeader)
      deadAt = message.text(DeadLetter.timeHeader)
      summary = message.summary
    }
  }

  let queue: DeadQueue
  /// Of all that are dead-lettered; nil where there is no such queue yet.
  let count: Int?
  /// How many were left out before the entries.
  let skipped: Int
  var entries: [Entry] = []

  /// How many come after the entries.
  private var more: Int { max(0, (count ?? 0) - skipped - entries.count) }

  var lines: [String] {
    guard let count else { return ["\(queue.rawValue): no such queue yet; services declare it when they start"] }
    let heading = "\(queue.rawValue): \(count) dead-lettered in \(queue.name)"
    guard skipped < count else { return [heading] }
    let rest = more > 0 ? ["  \(more) more; see them with --skip \(skipped + entries.count)"] : []
    return [heading] + entries.map { "  \($0.summary)" } + rest
  }

  var json: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("queue", queue.rawValue)
      if let count { writer.field("totalCount", count) }
      writer.array("deadLetters") { writer in
        for entry in entries { entry.write(to: &writer) }
      }
      writer.field("hasMore", more > 0)
    }
    return writer.bytes
  }
}

extension DeadPage.Entry {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("id", id)
      writer.field("reason", reason)
      writer.nullableField("messageType", type)
      writer.nullableField("appId", appID)
      writer.nullableField("attempts", attempts)
      writer.nullableField("deadAt", deadAt)
    }
  }
}
