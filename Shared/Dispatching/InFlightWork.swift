import NotificationModel
import NotificationQueue
import Synchronization

/// The messages that this process works on, none of whose notifications is worked on twice at a time.
///
/// A broker that has lost the connection hands out again what is still being tried here; so does a publisher that missed a
/// confirm. What came of the first copy must be recorded before the second is begun.
final class InFlightWork: Sendable {
  private struct State {
    var holders: [NotificationID: InFlightMessage] = [:]
    var messages: [ObjectIdentifier: InFlightMessage] = [:]
  }

  private let state = Mutex(State())

  var messages: [InFlightMessage] { state.withLock { Array($0.messages.values) } }

  /// Takes all the message's notifications, or none: then it answers a message that holds one of them.
  func claim(_ work: InFlightMessage) -> InFlightMessage? {
    state.withLock { state in
      let notifications = work.message.deliveries.lazy.map(\.notificationId)
      for notification in notifications {
        if let holder = state.holders[notification] { return holder }
      }
      for notification in notifications { state.holders[notification] = work }
      state.messages[ObjectIdentifier(work)] = work
      return nil
    }
  }

  func release(_ work: InFlightMessage) {
    state.withLock { state in
      for delivery in work.message.deliveries { state.holders[delivery.notificationId] = nil }
      state.messages[ObjectIdentifier(work)] = nil
    }
    work.release()
  }
}
