import Broker
import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore

/// Takes sends that are checked: hands them to the routers, or stores them until they are due.
struct Acceptance {
  let ingest: IngestPublisher
  let schedules: ScheduleStore
  let clock: @Sendable () -> Date

  init(_ parts: GatewayDependencies) {
    ingest = parts.ingest
    schedules = ScheduleStore(client: parts.database)
    clock = parts.clock
  }

  /// Returns once the request is safe.
  ///
  /// - Parameters:
  ///   - body: The send as it came.
  ///   - id: Its time is that of the acceptance.
  func accept(
    _ send: SendRequest,
    _ body: [UInt8],
    _ id: NotificationModel.RequestID,
    of owner: String
  ) async throws {
    if let sendAt = Self.instant(of: send, id) {
      let waiting = ScheduleStore.WaitingSend(
        id: id,
        owner: owner,
        definition: String(decoding: body, as: UTF8.self),
        sendAt: sendAt
      )
      try await schedules.store([waiting], now: clock())
    } else {
      try await ingest.publish(body, as: .request, id: id, of: owner)
    }
  }

  /// When it comes due; nil is at once.
  static func instant(of send: SendRequest, _ id: NotificationModel.RequestID) -> Date? {
    id.time.flatMap { send.waits(since: $0) }
  }

  /// What the sender is told of it.
  static func status(of send: SendRequest, _ id: NotificationModel.RequestID) -> String {
    instant(of: send, id) == nil ? "accepted" : "scheduled"
  }
}
