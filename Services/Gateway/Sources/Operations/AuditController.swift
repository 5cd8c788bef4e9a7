import Authentication
import Foundation
import Hummingbird
import BelfryJSON
import NotificationModel
import NotificationStore
import WallClock

/// `GET /api/v1/admin/audit`: who did what, the newest first.
struct AuditController {
  let audit: AuditStore
  let identities: UserIdentities

  init(_ dependencies: GatewayDependencies) {
    audit = AuditStore(client: dependencies.database)
    identities = dependencies.identities
  }

  var routes: [Route] { [.get("admin/audit", .admin, list)] }

  func list(_ request: Request, context: GatewayContext) async throws -> Response {
    var query = QueryParameters(request)
    let pageSize = query.integer("pageSize", default: 20, in: 1...100)
    // The id of the last entry of the page before.
    let after = query.text("after").map { Int($0) ?? 0 }
    if let after, after < 1 { query.problem("after", "expected what an answer gave as next") }
    try query.validate()
    let page = try await audit.page(before: after, limit: pageSize)
    let texts = try await identities.texts(of: page.entries.lazy.compactMap(\.user))
    return .json { writer in
      writer.object { writer in
        writer.array("entries") { writer in
          for entry in page.entries { write(entry, texts, to: &writer) }
        }
        writer.field("hasMore", page.hasMore)
        writer.nullableField("next", page.hasMore ? page.entries.last.map { String($0.id) } : nil)
      }
    }
  }

  private func write(_ entry: AuditStore.Entry, _ texts: UserTexts, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("at", entry.at.rfc3339)
      writer.field("actor", entry.actor)
      writer.field("action", entry.action)
      writer.nullableField("subject", entry.user.map { texts[$0] } ?? entry.subject)
      if let detail = entry.detail {
        writer.key("detail")
        writer.value(detail)
      }
      writer.nullableField("requestId", entry.requestID)
    }
  }
}

extension AuditStore.Entry {
  /// The user whom it was done to, if it was a user.
  fileprivate var user: UserID? { subject.flatMap { UserID($0) } }
}
