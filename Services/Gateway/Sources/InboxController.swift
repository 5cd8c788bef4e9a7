import Foundation
import Hummingbird
import JSON
import Logging
import NotificationModel
import NotificationQueue
import NotificationStore

/// A user's own notification centre: list, count, read.
struct InboxController {
  let inbox: InboxStore
  let catalogue: Catalogue
  let realtime: RealtimePublisher
  let clock: @Sendable () -> Date

  /// Pages above this go by keyset (`before`), because every skipped row is read.
  private static let maximumPage = 1_000

  init(_ parts: GatewayParts) {
    inbox = InboxStore(client: parts.database)
    catalogue = parts.catalogue
    realtime = parts.realtime
    clock = parts.clock
  }

  var routes: [Route] {
    [
      .get("notifications", .user, list),
      .get("notifications/unread-count", .user, unreadCount),
      .get("notifications/changes", .user, changes),
      .post("notifications/read", .user, markManyRead),
      .get("notifications/:id", .user, get),
      .patch("notifications/:id/read", .user, markRead),
    ]
  }

  func list(_ request: Request, context: GatewayContext) async throws -> Response {
    let user = try context.user()
    var query = QueryParameters(request)
    let page = query.integer("page", default: 1, in: 1...Self.maximumPage)
    let size = query.integer("pageSize", default: 20, in: 1...50)
    let unreadOnly = query.boolean("unreadOnly", default: false)
    let before: NotificationID? = query.identifier("before")
    let type = self.type(&query)
    try query.validate()
    let found = try await inbox.page(
      of: user,
      filter: .init(unreadOnly: unreadOnly, type: type, before: before),
      offset: before == nil ? (page - 1) * size : 0,
      limit: size
    )
    let locale = try await inbox.locale(of: user, catalogue: catalogue)
    let now = clock()
    return .json { writer in
      writer.object { writer in
        writer.array("notifications") { writer in
          for item in found.items { item.write(to: &writer, catalogue: catalogue, locale: locale, now: now) }
        }
        writer.field("unreadCount", found.counts.unread)
        writer.field("totalCount", found.matching)
        writer.field("hasMore", found.hasMore)
      }
    }
  }

  /// What a client missed: everything after the last `seq` that it knows, the oldest first.
  func changes(_ request: Request, context: GatewayContext) async throws -> Response {
    let user = try context.user()
    var query = QueryParameters(request)
    let seq = query.requiredInteger("since", in: 0...Int.max)
    let limit = query.integer("limit", default: 50, in: 1...100)
    try query.validate()
    let changes = try await inbox.changes(of: user, after: seq, limit: limit)
    let locale = try await inbox.locale(of: user, catalogue: catalogue)
    let now = clock()
    return .json { writer in
      writer.object { writer in
        writer.array("notifications") { writer in
          for item in changes.items { item.write(to: &writer, catalogue: catalogue, locale: locale, now: now) }
        }
        writer.field("seq", changes.seq)
        writer.field("unreadCount", changes.unread)
        writer.field("hasMore", changes.hasMore)
      }
    }
  }

  func unreadCount(_ request: Request, context: GatewayContext) async throws -> Response {
    let counts = try await inbox.counts(of: try context.user())
    return .json { writer in writer.object { $0.field("count", counts.unread) } }
  }

  func get(_ request: Request, context: GatewayContext) async throws -> Response {
    let user = try context.user()
    guard let item = try await inbox.item(try context.identifier(), of: user) else { throw Problem.notFound }
    let locale = try await inbox.locale(of: user, catalogue: catalogue)
    return .json { item.write(to: &$0, catalogue: catalogue, locale: locale, now: clock()) }
  }

  func markRead(_ request: Request, context: GatewayContext) async throws -> Response {
    let user = try context.user()
    let id: NotificationID = try context.identifier()
    guard let marked = try await inbox.markRead(id, of: user, at: clock()) else { throw Problem.notFound }
    if marked.isChanged {
      await realtime.tellRead([id], count: 1, unread: marked.unread, of: user)
    }
    let locale = try await inbox.locale(of: user, catalogue: catalogue)
    return .json { marked.item.write(to: &$0, catalogue: catalogue, locale: locale, now: clock()) }
  }

  func markManyRead(_ request: Request, context: GatewayContext) async throws -> Response {
    let user = try context.user()
    let ids = try MarkNotificationsRead.read(from: try await RequestBody.bytes(of: request))
    let marked = try await inbox.markRead(ids, of: user, at: clock())
    await realtime.tellRead(marked.ids, count: marked.markedCount, unread: marked.unread, of: user)
    return .json { writer in writer.object { $0.field("markedCount", marked.markedCount) } }
  }

  private func type(_ query: inout QueryParameters) -> Int? {
    guard let text = query.text("type") else { return nil }
    let reference = Int(text).map(Catalogue.Reference.code) ?? .name(text)
    guard let type = catalogue.type(reference) else {
      query.problem("type", "\(reference) is not in the catalogue")
      return nil
    }
    return type.code
  }
}
