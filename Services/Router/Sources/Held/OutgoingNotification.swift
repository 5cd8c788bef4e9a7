import NotificationModel
import NotificationStore

/// What goes out over one channel, provided that its settlement is stored.
struct OutgoingNotification {
  enum Condition {
    /// It goes out if its new decision was stored.
    case changed
    /// It is a composition, and goes out if it was stored.
    case composed
    /// It was settled before, and goes out again if its entry is still the claimant's. Dispatchers look up which targets have
    /// had it.
    case settled(HeldEntry.Key)
  }

  let id: NotificationID
  let channel: Channel
  let recipient: Recipient
  let requestID: RequestID
  let content: NotificationContent
  let unread: Int
  let condition: Condition

  func isSent(after result: HeldSettlement.Result) -> Bool {
    switch condition {
    case .changed: result.changed[channel]?.contains(id) ?? false
    case .composed: result.composed.contains(id)
    case .settled(let entry): result.owned.contains(entry)
    }
  }
}
