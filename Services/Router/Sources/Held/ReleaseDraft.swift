import NotificationModel
import NotificationStore

/// What a release is to store and send, as it is gathered. Pure.
struct ReleaseDraft {
  private(set) var changes: [HeldSettlement.Change] = []
  private(set) var compositions: [HeldSettlement.NewComposition] = []
  private var singles: [OutgoingNotification] = []
  private var composed: [OutgoingNotification] = []
  private var again: [OutgoingNotification] = []

  /// Single notifications, then compositions, then what was settled before.
  var outgoing: [OutgoingNotification] { singles + composed + again }

  /// Sends once more what was settled by a router that died before it was done. If there is nowhere to send it any more, it
  /// is left out.
  mutating func sendAgain(
    _ entry: HeldEntry,
    id: NotificationID,
    _ content: HeldContent,
    _ message: NotificationContent,
    _ routing: any RoutingChannel,
    _ recipient: Recipient
  ) {
    if let objection = routing.objection(to: recipient) {
      let change = DecisionChange(id: id, userID: recipient.id, from: .deliver, to: .skip(objection))
      changes.append(.init(entry, change))
      return
    }
    again.append(
      OutgoingNotification(
        id: id,
        channel: routing.channel,
        recipient: recipient,
        requestID: content.requestID,
        content: message,
        unread: content.unread,
        condition: .settled(entry.key)
      )
    )
  }

  /// Settles what was decided for one person on one channel.
  mutating func add(_ decided: ArraySlice<Reevaluation>, composeAbove limit: Int, texts: CompositionTexts) {
    var delivered: [NotificationID: Reevaluation] = [:]
    for reevaluation in decided {
      if reevaluation.decision == .deliver {
        delivered[reevaluation.entry.key.notification] = reevaluation
      } else {
        change(reevaluation, to: reevaluation.decision)
      }
    }
    guard let first = decided.first, !delivered.isEmpty else { return }
    let batch = HeldBatch(
      user: first.entry.key.user,
      channel: first.routing.channel,
      locale: first.recipient.locale,
      zone: first.recipient.zone,
      items: decided.filter { $0.decision == .deliver }.map(\.item)
    )
    for output in batch.outputs(limit: first.routing.attention == .now ? limit : nil, texts: texts) {
      switch output {
      case .single(let id):
        if let reevaluation = delivered[id] { deliver(reevaluation) }
      case .composed(let composition):
        deliver(composition, of: composition.members.compactMap { delivered[$0] }, as: first)
      }
    }
  }

  private mutating func deliver(_ reevaluation: Reevaluation) {
    change(reevaluation, to: .deliver)
    singles.append(
      OutgoingNotification(
        id: reevaluation.entry.key.notification,
        channel: reevaluation.routing.channel,
        recipient: reevaluation.recipient,
        requestID: reevaluation.content.requestID,
        content: reevaluation.message,
        unread: reevaluation.content.unread,
        condition: .changed
      )
    )
  }

  /// - Parameter first: The first of what is due together, delivered or not: whose recipient and unread count it has.
  private mutating func deliver(_ composition: Composition, of members: [Reevaluation], as first: Reevaluation) {
    guard composition.text.excess.isEmpty else {
      for member in members { change(member, to: .skip(.textTooLong)) }
      return
    }
    guard var content = composition.message(of: members) else { return }
    if first.routing.channel == .email {
      content.listing = NotificationContent.Listing(members.map { (title: $0.content.title, body: $0.content.body) })
    }
    compositions.append(
      HeldSettlement.NewComposition(
        id: composition.id,
        content: content,
        members: members.map { ($0.entry, $0.former) }
      )
    )
    composed.append(
      OutgoingNotification(
        id: composition.id,
        channel: first.routing.channel,
        recipient: first.recipient,
        requestID: RequestID(composition.id.uuid),
        content: content,
        unread: first.content.unread,
        condition: .composed
      )
    )
  }

  private mutating func change(_ reevaluation: Reevaluation, to decision: ChannelDecision) {
    let key = reevaluation.entry.key
    let change = DecisionChange(id: key.notification, userID: key.user, from: reevaluation.former, to: decision)
    changes.append(.init(reevaluation.entry, change))
  }
}
