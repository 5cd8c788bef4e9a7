import Broker
import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore

/// Takes sends that are checked: hands them to the routers, or stores them until they are due.
struct Acceptance {
  let ingest: IngestPublisher
  let schedules: ScheduleStore
  let identities: UserIdentities
  let clock: @Sendable () -> Date

  init(_ dependencies: GatewayDependencies) {
    ingest = dependencies.ingest
    schedules = ScheduleStore(client: dependencies.database)
    identities = dependencies.identities
    clock = dependencies.clock
  }

  /// Returns once the request is safe, and those whom it names are known.
  ///
  /// - Parameters:
  ///   - body: The send as it came.
  ///   - id: Its time is that of the acceptance.
  /// - Throws: 409 for people whose UUIDs are others'.
  func accept(
    _ send: SendRequest,
    _ body: [UInt8],
    _ id: NotificationModel.RequestID,
    of owner: RequestOwner
  ) async throws {
    if !send.contestedUsers.isEmpty {
      try await identities.claim(send.contestedUsers, asked: id.time ?? clock())
    }
    if let sendAt = Self.instant(of: send, id) {
      let waiting = ScheduleStore.WaitingSend(
        id: id,
        owner: owner,
        definition: String(decoding: send.stored(body), as: UTF8.self),
        sendAt: sendAt,
        catalogueVersion: ingest.catalogueVersion
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

  /// What the sender is answered.
  static func status(of send: SendRequest, _ id: NotificationModel.RequestID) -> String {
    instant(of: send, id) == nil ? "accepted" : "scheduled"
  }
}
