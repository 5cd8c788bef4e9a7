import NotificationModel
import NotificationStore

/// A notification that is stored, with all that its messages need. Pure.
struct RoutedNotification {
  let id: NotificationID
  let userID: UserID
  /// Index into the batch's contents.
  let content: Int
  /// What is stored: where the notification was there before, what was decided then.
  var plan: RoutingPlan
  /// Whether it was stored before, by an earlier attempt or part, or to wait for a channel: its messages may have been sent, so
  /// dispatchers look up first what has an outcome.
  let mustRecheck: Bool
  /// 0 for what waited, which no inbox hears of again.
  let seq: Int
  let unread: Int
  let recipient: Recipient

  /// - Parameter contents: Gets one more if the notification was stored with other words: a catalogue may have changed, and
  ///   push and inbox say the same.
  init(
    _ notification: NewNotification,
    _ stored: StoredNotification,
    recipient: Recipient,
    contents: inout [NotificationContent]
  ) {
    id = notification.id
    userID = notification.userID
    mustRecheck = !stored.isNew
    seq = stored.seq
    unread = stored.unread
    self.recipient = recipient
    plan = stored.isNew ? notification.plan : stored.former?.plan ?? RoutingPlan()
    // Only what was stored before can say otherwise: the others' contents are not even looked at.
    guard let former = stored.former else {
      self.content = notification.content
      return
    }
    var content = contents[notification.content]
    guard former.title != content.title || former.body != content.body else {
      self.content = notification.content
      return
    }
    content.title = former.title
    content.body = former.body
    self.content = contents.count
    contents.append(content)
  }

  /// What waited for one channel, and is sent there now. The others are not its concern.
  init(_ id: NotificationID, over channel: Channel, to recipient: Recipient, content: Int, unread: Int) {
    self.id = id
    userID = recipient.id
    self.content = content
    plan = RoutingPlan()
    plan[channel] = .deliver
    mustRecheck = true
    seq = 0
    self.unread = unread
    self.recipient = recipient
  }

  /// Whether it is to be sent on a channel.
  func isSent(on channel: Channel) -> Bool { plan[channel] == .deliver && settled == nil }

  /// Why it is sent on no channel any more: it was in the inbox, and its user or its sender took it out. Nil if it is there.
  private var settled: SkipReason? {
    guard mustRecheck, case .leftInbox(let state)? = plan[.inApp] else { return nil }
    return [.deleted, .withdrawn].contains(state) ? .deleted : .read
  }

  /// What becomes of a former decision: what was to be delivered but cannot reach anybody any more (no device, no address, or
  /// one that is suppressed by now), and what its user has dealt with, is left out. What is held is decided afresh when it is due, and by nobody before.
  func change(on routing: any RoutingChannel) -> DecisionChange? {
    guard mustRecheck, plan[routing.channel] == .deliver, let objection = settled ?? routing.objection(to: recipient)
    else {
      return nil
    }
    return DecisionChange(id: id, userID: userID, from: .deliver, to: .skip(objection))
  }
}
