import NotificationModel
import NotificationStore

/// A notification that is stored, with all that its messages need. Pure.
struct RoutedNotification {
  let id: NotificationID
  let userID: UserID
  /// Index of the job that brought it.
  let job: Int
  /// Index into the batch's contents.
  let content: Int
  /// What is stored: where the notification was there before, what was decided then.
  var plan: RoutingPlan
  /// False if an earlier attempt, or an earlier part, stored it and may have sent its messages.
  let isNew: Bool
  let seq: Int
  let unread: Int
  let recipient: Recipient
  /// What became of it in the inbox since it was stored.
  private let inbox: DecisionState.Inbox
  /// The channels whose messages are its job's to send; nil means all.
  private let own: Set<Channel>?

  /// - Parameters:
  ///   - job: Index of the job that brought it.
  ///   - own: The channels whose messages are its job's to send; nil means all.
  ///   - contents: Gets one more if the notification was stored with other words: a catalogue may have changed, and push and
  ///     inbox say the same.
  init(
    _ notification: NewNotification,
    _ stored: StoredNotification,
    recipient: Recipient,
    job: Int,
    own: Set<Channel>? = nil,
    contents: inout [NotificationContent]
  ) {
    id = notification.id
    userID = notification.userID
    self.job = job
    isNew = stored.isNew
    seq = stored.seq
    unread = stored.unread
    inbox = stored.former?.inbox ?? .unread
    self.recipient = recipient
    self.own = own
    plan = stored.isNew ? notification.plan : stored.former?.plan ?? RoutingPlan()
    var content = contents[notification.content]
    if let former = stored.former, former.title != content.title || former.body != content.body {
      content.title = former.title
      content.body = former.body
      self.content = contents.count
      contents.append(content)
    } else {
      self.content = notification.content
    }
  }

  /// Whether it is to be sent on a channel. What is not its job's was sent, or will be, with another.
  func isSent(on channel: Channel) -> Bool {
    plan[channel] == .deliver && own?.contains(channel) ?? true
  }

  /// What becomes of a former decision: what was held and is due is decided afresh, and what was to be delivered but cannot
  /// reach anybody any more (no device, no address, or one that is suppressed by now) is left out.
  func change(on routing: any RoutingChannel, of subject: DecisionSubject, isDue: Bool) -> DecisionChange? {
    guard !isNew, let former = plan[routing.channel] else { return nil }
    let revised: ChannelDecision?
    switch former {
    case .hold(_, let reason):
      let input = DecisionInput(subject, to: recipient, state: DecisionState(look: .due(reason), inbox: inbox))
      revised = isDue ? RoutingDecision.decide(input, channels: [routing])[routing.channel] : nil
    case .deliver: revised = routing.objection(to: recipient).map(ChannelDecision.skip)
    case .skip: revised = nil
    }
    return revised.map { DecisionChange(id: id, userID: userID, from: former, to: $0) }
  }
}
