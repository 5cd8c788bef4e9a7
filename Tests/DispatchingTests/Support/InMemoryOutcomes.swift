import Dispatching
import NotificationModel
import NotificationStore
import Synchronization

/// Outcomes as ``DeliveryStore`` keeps them, in memory: what is delivered stays so.
final class InMemoryOutcomes: OutcomeStore {
  private struct State {
    var records: [DeliveryStore.Key: DeliveryStore.Record] = [:]
    var statements: [[DeliveryStore.Record]] = []
    /// Uncertain after two attempts.
    var repeated: Set<DeliveryStore.Key> = []
    var lookups = 0
  }

  private let state = Mutex(State())
  private let fault = Mutex<(@Sendable ([DeliveryStore.Record]) async -> (any Error)?)?>(nil)
  private let lookupFault = Mutex<(notification: NotificationID, error: any Error)?>(nil)

  /// Asked at each statement that records for its error; nil lets all succeed.
  func failRecording(_ fault: (@Sendable ([DeliveryStore.Record]) async -> (any Error)?)?) {
    self.fault.withLock { $0 = fault }
  }

  /// Fails each lookup of the notification.
  func failLookups(of notification: NotificationID, _ error: any Error) {
    lookupFault.withLock { $0 = (notification, error) }
  }

  var records: [DeliveryStore.Key: DeliveryStore.Record] { state.withLock(\.records) }
  var statements: [[DeliveryStore.Record]] { state.withLock(\.statements) }
  var lookups: Int { state.withLock(\.lookups) }

  func record(_ records: [DeliveryStore.Record]) async throws {
    if let error = await fault.withLock(\.self)?(records) { throw error }
    state.withLock { state in
      state.statements.append(records)
      for record in records {
        let key = DeliveryStore.Key(notificationID: record.notificationID, target: record.target)
        if let former = state.records[key], former.outcome == .uncertain {
          if record.outcome == .uncertain {
            guard record.attempts > former.attempts else { continue }
            state.repeated.insert(key)
          }
          let isObjectedTo =
            record.outcome == .rejected && SkipReason.ofWaitingMails.contains { $0.name == record.reason }
          if record.outcome == .expired || isObjectedTo { continue }
        }
        if state.records[key]?.outcome != .delivered { state.records[key] = record }
      }
    }
  }

  func finished(
    _ notifications: [(user: UserID, id: NotificationID)],
    channel: Channel
  ) async throws -> Set<DeliveryStore.Key> {
    let asked = Set(notifications.map(\.id))
    if let fault = lookupFault.withLock(\.self), asked.contains(fault.notification) { throw fault.error }
    return state.withLock { state in
      state.lookups += 1
      return Set(
        state.records.filter {
          asked.contains($0.key.notificationID) && $0.value.audience == nil
            && ($0.value.outcome.isFinal || state.repeated.contains($0.key) && $0.value.outcome == .uncertain)
        }.map(\.key)
      )
    }
  }

  func finished(topics: [NotificationID]) async throws -> Set<DeliveryStore.Key> {
    state.withLock { state in
      state.lookups += 1
      return Set(
        state.records.filter {
          topics.contains($0.key.notificationID) && $0.value.outcome.isFinal && $0.value.audience != nil
        }.map(\.key)
      )
    }
  }
}
