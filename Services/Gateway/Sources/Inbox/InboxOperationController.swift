import Foundation
import Hummingbird
import BelfryJSON
import NotificationModel
import NotificationQueue
import NotificationStore

/// What users do with their notifications: read, see, put away, put off, delete. All their open connections hear of it.
struct InboxOperationController {
  let inbox: InboxStore
  let catalogue: Catalogue
  let realtime: RealtimePublisher
  let clock: @Sendable () -> Date

  init(_ dependencies: GatewayDependencies) {
    inbox = InboxStore(client: dependencies.database)
    catalogue = dependencies.catalogue
    realtime = dependencies.realtime
    clock = dependencies.clock
  }

  var routes: [Route] {
    [
      .delete("notifications", .user, deleteRead),
      .post("notifications/read", .user) { try await mark($0, context: $1, .read) },
      .post("notifications/seen", .user) { try await mark($0, context: $1, .seen) },
      .delete("notifications/:id", .user, delete),
      .patch("notifications/:id/archive", .user) { try await change($1, .archive) },
      .patch("notifications/:id/read", .user) { try await change($1, .read) },
      .patch("notifications/:id/snooze", .user, snooze),
      .patch("notifications/:id/unarchive", .user) { try await change($1, .unarchive) },
      .patch("notifications/:id/unread", .user) { try await change($1, .unread) },
    ]
  }

  /// Some, or all.
  private func mark(_ request: Request, context: GatewayContext, _ operation: InboxOperation) async throws -> Response {
    _ = try context.user()
    let ids = try NotificationSelection.read(from: try await RequestBody.bytes(of: request))
    let marked = try await apply(operation, to: ids, context)
    return .json { writer in writer.object { $0.field("markedCount", marked.count) } }
  }

  private func snooze(_ request: Request, context: GatewayContext) async throws -> Response {
    let snooze: SnoozeUntil = try await RequestBody.read(of: request)
    return try await change(context, try snooze.operation(at: clock()))
  }

  /// One; where it is so already, nothing is published and it is answered as it is.
  private func change(_ context: GatewayContext, _ operation: InboxOperation) async throws -> Response {
    let user = try context.user()
    let id: NotificationID = try context.identifier()
    let locale = try await inbox.locale(of: user, catalogue: catalogue)
    var item = try await apply(operation, to: [id], context, locale: locale).items.first
    if item == nil { item = try await inbox.item(id, of: user) }
    guard let item else { throw Problem.notFound }
    return .json { item.write(to: &$0, catalogue: catalogue, locale: locale, now: clock()) }
  }

  private func delete(_ request: Request, context: GatewayContext) async throws -> Response {
    let id: NotificationID = try context.identifier()
    guard try await apply(.delete, to: [id], context).count > 0 else { throw Problem.notFound }
    return Response(status: .noContent)
  }

  private func deleteRead(_ request: Request, context: GatewayContext) async throws -> Response {
    let deleted = try await apply(.delete, to: nil, context)
    return .json { writer in writer.object { $0.field("deletedCount", deleted.count) } }
  }

  private func apply(
    _ operation: InboxOperation,
    to ids: [NotificationID]?,
    _ context: GatewayContext
  ) async throws -> InboxChange {
    let locale = operation.sendsContents ? try await inbox.locale(of: try context.user(), catalogue: catalogue) : nil
    return try await apply(operation, to: ids, context, locale: locale)
  }

  private func apply(
    _ operation: InboxOperation,
    to ids: [NotificationID]?,
    _ context: GatewayContext,
    locale: String?
  ) async throws -> InboxChange {
    let user = try context.user()
    let change = try await inbox.apply(operation, to: ids, of: user, at: clock())
    if let update = change.inboxUpdate(catalogue, locale: locale) {
      await realtime.logging(to: context.logger).publish(update, of: user)
    }
    return change
  }
}
