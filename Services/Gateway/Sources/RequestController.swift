import Foundation
import Hummingbird
import JSON
import NotificationModel
import NotificationStore
import WallClock

/// `GET` and `DELETE /api/v1/requests/{id}`: a send that waits for its instant, and how it is withdrawn.
struct RequestController {
  let schedules: ScheduleStore
  let clock: @Sendable () -> Date

  func get(_ request: Request, context: GatewayContext) async throws -> Response {
    let id = try id(context)
    guard let state = try await schedules.state(of: id, of: context.ownerInSight()) else { throw Problem.notFound }
    return .json { writer in
      writer.object { writer in
        writer.field("requestId", id.description)
        switch state {
        case .scheduled(let sendAt):
          writer.field("status", "scheduled")
          writer.field("sendAt", sendAt.rfc3339)
        case .released:
          writer.field("status", "accepted")
        case .cancelled(let at):
          writer.field("status", "cancelled")
          writer.field("cancelledAt", at.rfc3339)
        }
      }
    }
  }

  /// Answers how much will not be told that would have been. Nothing of a request that was withdrawn is told later, whether
  /// it is known here or not.
  func cancel(_ request: Request, context: GatewayContext) async throws -> Response {
    let id = try id(context)
    let found = try await schedules.cancel(id, of: context.ownerInSight(), now: clock())
    if found == .notYours { throw Problem.notFound }
    return .json { writer in
      writer.object { writer in
        writer.field("cancelledCount", found == .cancelled ? 1 : 0)
        writer.field("status", found == .cancelled ? "cancelled" : "accepted")
      }
    }
  }

  private func id(_ context: GatewayContext) throws -> NotificationModel.RequestID {
    try context.requireService()
    let id: NotificationModel.RequestID = try context.identifier()
    guard id.time != nil else { throw Problem.notFound }
    return id
  }
}
