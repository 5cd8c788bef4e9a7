import Foundation
import Hummingbird
import NotificationModel
import NotificationQueue
import NotificationStore

/// What users did with what they got. Each counts once; the user's connections hear what changed by it.
struct EngagementController {
  let engagement: EngagementStore
  let inbox: InboxStore
  let catalogue: Catalogue
  let realtime: RealtimePublisher
  let clock: @Sendable () -> Date

  init(_ dependencies: GatewayDependencies) {
    engagement = EngagementStore(client: dependencies.database)
    inbox = InboxStore(client: dependencies.database)
    catalogue = dependencies.catalogue
    realtime = dependencies.realtime
    clock = dependencies.clock
  }

  var routes: [Route] {
    [
      .post("notifications/:id/opened", .user) { try await note(nil, $1) },
      .post("notifications/:id/actions/:action", .user) { try await note($1.parameters.get("action") ?? "", $1) },
    ]
  }

  /// - Parameter action: As the path has it; nil is opening.
  private func note(_ action: String?, _ context: GatewayContext) async throws -> Response {
    let user = try context.user()
    let action = action.map { $0.removingPercentEncoding ?? $0 }
    guard try await note(action, of: try context.identifier(), by: user, context) == .noted else {
      throw Problem.notFound
    }
    return Response(status: .noContent)
  }

  enum Outcome {
    case noted
    /// The user has no such notification, or none any more.
    case unknownNotification
    /// It has no such button.
    case unknownAction
  }

  /// Notes it once, and publishes what changed by it.
  ///
  /// - Parameter action: Of a button; nil is opening.
  func note(
    _ action: String?,
    of id: NotificationID,
    by user: UserID,
    _ context: GatewayContext
  ) async throws -> Outcome {
    guard let item = try await inbox.item(id, of: user) else { return .unknownNotification }
    if let action { guard isKnown(action, of: item.type) else { return .unknownAction } }
    let change = try await engagement.note(action, of: id, type: item.type, by: user, at: clock())
    if let update = try await inbox.inboxUpdate(change, of: user, catalogue: catalogue) {
      await realtime.logging(to: context.logger).publish(update, of: user)
    }
    return .noted
  }

  /// Of a type that the catalogue does not have any more nobody knows the buttons: what could be one of them counts, up to
  /// ``EngagementStore``'s limit.
  private func isKnown(_ action: String, of type: Int) -> Bool {
    guard let known = catalogue.type(.code(type)) else {
      return action.count <= 64 && action.wholeMatch(of: /[A-Za-z0-9_.\-]+/) != nil
    }
    return known.actions.contains { $0.id == action }
  }
}
