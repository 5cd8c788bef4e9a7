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

  /// Pages above this go by keyset (`before`), because every skipped row is read.
  private static let maximumPage = 1_000

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
    let now = Date.now
    return .json { writer in
      writer.object { writer in
        writer.array("notifications") { writer in
          for item in found.items { write(item, to: &writer, now: now) }
        }
        writer.field("unreadCount", found.counts.unread)
        writer.field("totalCount", found.matching)
        writer.field("hasMore", found.hasMore)
      }
    }
  }

  func unreadCount(_ request: Request, context: GatewayContext) async throws -> Response {
    let counts = try await inbox.counts(of: try context.user())
    return .json { writer in writer.object { $0.field("count", counts.unread) } }
  }

  func get(_ request: Request, context: GatewayContext) async throws -> Response {
    guard let item = try await inbox.item(try context.identifier(), of: try context.user()) else {
      throw Problem.notFound
    }
    return .json { write(item, to: &$0, now: Date.now) }
  }

  func markRead(_ request: Request, context: GatewayContext) async throws -> Response {
    let user = try context.user()
    let id: NotificationID = try context.identifier()
    guard let marked = try await inbox.markRead(id, of: user, at: Date.now) else { throw Problem.notFound }
    if marked.isChanged {
      await realtime.tell(.init(kind: .read, userId: user, notificationId: id, unread: marked.unread))
    }
    return .json { write(marked.item, to: &$0, now: Date.now) }
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

  /// `NotificationDto` of the push notification specification, plus `seq`.
  private func write(_ item: InboxItem, to writer: inout JSONWriter, now: Date) {
    writer.object { writer in
      writer.field("id", item.id.description)
      writer.field("type", item.type)
      writer.field("typeName", catalogue.type(.code(item.type))?.name ?? "Unknown")
      writer.field("title", item.title)
      writer.field("body", item.body)
      writer.nullableField("data", item.data)
      writer.field("isRead", item.readAt != nil)
      writer.nullableField("readAt", item.readAt?.rfc3339)
      writer.field("createdAt", item.createdAt.rfc3339)
      writer.nullableField("relatedEntityType", item.relatedEntityType)
      writer.nullableField("relatedEntityId", item.relatedEntityID)
      writer.field("timeAgo", TimeAgo.text(from: item.createdAt, to: now))
      writer.field("seq", item.seq)
    }
  }
}
