import Foundation
import Hummingbird
import BelfryJSON
import NotificationModel
import NotificationStore
import WallClock

/// `GET /api/v1/admin/stats`: what was sent and what came of it, by type, channel or day.
struct StatController {
  let stats: StatStore
  let catalogue: Catalogue
  let clock: @Sendable () -> Date

  /// Days of one answer.
  static let maximumDays = 366
  /// Unless said otherwise.
  private static let usualDays = 30

  init(_ dependencies: GatewayDependencies) {
    stats = StatStore(client: dependencies.database)
    catalogue = dependencies.catalogue
    clock = dependencies.clock
  }

  var routes: [Route] { [.get("admin/stats", .admin, read)] }

  func read(_ request: Request, context: GatewayContext) async throws -> Response {
    var query = QueryParameters(request)
    let to = query.date("to") ?? Zone.utc.localDate(at: clock())
    let from = query.date("from") ?? LocalDate(dayNumber: to.dayNumber - Self.usualDays + 1)
    let grouping = query.text("by").map(StatStore.Grouping.init(rawValue:)) ?? .type
    if grouping == nil { query.problem("by", "expected type, channel or day") }
    if query.errors.isEmpty {
      if from > to { query.problem("from", "is after to") }
      if to.dayNumber - from.dayNumber >= Self.maximumDays {
        query.problem("from", "expected at most \(Self.maximumDays) days")
      }
    }
    try query.validate()
    let by = grouping ?? .type
    let report = try await stats.report(from...to, by: by)
    return .json { writer in
      writer.object { writer in
        writer.field("from", from.description)
        writer.field("to", to.description)
        writer.field("by", by.rawValue)
        writer.array("rows") { writer in
          for row in report.rows { write(row, by, to: &writer) }
        }
        writePermissions(report.total, to: &writer)
        writer.object("unsubscribes") { writer in
          writer.field("count", report.total.unsubscribed)
          writer.rate("rate", report.total.unsubscribed, of: report.notifications)
        }
      }
    }
  }

  private func write(_ row: StatStore.Row, _ grouping: StatStore.Grouping, to writer: inout JSONWriter) {
    let counts = row.counts
    writer.object { writer in
      switch grouping {
      case .type:
        writer.field("type", row.key)
        writer.nullableField("typeName", catalogue.type(.code(row.key))?.name)
      case .channel:
        writer.field("channel", row.key)
        writer.field("channelName", Channel(rawValue: row.key).name(among: catalogue.channels))
      case .day: writer.field("day", LocalDate(dayNumber: row.key).description)
      }
      if let notifications = row.notifications { writer.field("notifications", notifications) }
      if let inbox = row.inbox { writer.field("inbox", inbox) }
      writer.field("sent", counts.sent)
      writer.field("delivered", counts.delivered)
      writer.field("failed", counts.failed)
      writer.field("displayed", counts.displayed)
      writer.field("opened", counts.opened)
      writer.field("acted", counts.acted)
      writer.field("unsubscribed", counts.unsubscribed)
      writer.rate("deliveredRate", counts.delivered, of: counts.sent)
      writer.rate("openRate", counts.opened, of: row.openable)
      writer.rate("actionRate", counts.acted, of: row.openable)
      writer.rate("unsubscribeRate", counts.unsubscribed, of: row.notified)
      if grouping != .type { writePermissions(counts, to: &writer) }
    }
  }

  /// Of whose apps report that they asked. Where some report the answer alone, or asked before these days, nobody knows of how
  /// many.
  private func writePermissions(_ counts: StatStore.Counts, to writer: inout JSONWriter) {
    writer.object("permissions") { writer in
      writer.field("requested", counts.asked)
      writer.field("granted", counts.granted)
      writer.field("denied", counts.denied)
      writer.rate("rate", counts.granted, of: counts.asked >= counts.granted ? counts.asked : 0)
    }
  }
}

extension JSONWriter {
  /// From 0 to 1 with four digits; null of nothing. What was counted before what it is a part of is not more than all of it.
  fileprivate mutating func rate(_ name: StaticString, _ part: Int, of all: Int) {
    guard all > 0 else { return nullableField(name, nil) }
    let share = min(max(Double(part) / Double(all), 0), 1)
    field(name, (share * 10_000).rounded() / 10_000)
  }
}
