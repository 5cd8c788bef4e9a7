import Foundation
import NotificationModel
import NotificationStore

/// What becomes of one claim: what is decided afresh, told as one, or published again because whoever settled it died. Pure.
struct HeldRound {
  /// Something that goes out once it is settled.
  private struct Outgoing {
    enum Condition {
      /// It was decided just now.
      case changed
      /// It tells several, and was stored just now.
      case composed
      /// It was settled before: it goes out once more, and dispatchers look up who has had it.
      case settled(HeldEntry.Key)
    }

    var id: NotificationID
    var channel: Channel
    var recipient: Recipient
    var requestID: RequestID
    var content: NotificationContent
    var unread: Int
    var condition: Condition
  }

  let now: Date
  let spread: DueSpread
  private var looks: [HeldLook] = []
  private var settled: [Outgoing] = []
  private var changes: [HeldSettlement.Change] = []
  private var composed: [(composition: HeldSettlement.Told, outgoing: Outgoing)] = []
  private var singles: [Outgoing] = []
  private var windows: [HeldStore.WindowKey: DigestWindow] = [:]

  /// - Parameters:
  ///   - entries: By user and channel.
  ///   - contents: Of these and of the compositions that tell them.
  ///   - withdrawn: Of their requests those that were.
  init(
    _ entries: [HeldEntry],
    contents: [NotificationID: HeldContent],
    catalogue: Catalogue,
    channels: [any RoutingChannel],
    recipients: [RecipientStore.Key: Recipient],
    withdrawn: Set<NamedRequest>,
    now: Date,
    spread: DueSpread
  ) {
    self.now = now
    self.spread = spread
    var compositions: [NotificationID: [(HeldEntry, NotificationType)]] = [:]
    for entry in entries {
      guard let type = catalogue.type(.code(entry.type)), let routing = channels.routing(of: entry.key.channel) else {
        continue
      }
      let person = entry.recipientKey(of: type, contents[entry.key.notification])
      let recipient = recipients[person] ?? Recipient(id: entry.key.user)
      if let composition = entry.composedIn {
        compositions[composition, default: []].append((entry, type))
        continue
      }
      // Deleted while it waited: then there is nothing to tell, and nowhere to say why.
      guard let content = contents[entry.key.notification] else { continue }
      if let look = HeldLook(
        entry,
        content,
        type: type,
        routing: routing,
        recipient: recipient,
        isCancelled: withdrawn.contains(content.request),
        now: now,
        spread: spread
      ) {
        looks.append(look)
      } else if content.plan[routing.channel] == .deliver {
        let message = content.message(type: type, collapseKey: entry.collapseKey)
        again(entry, id: entry.key.notification, content, message, routing, recipient)
      }
    }
    for (id, members) in compositions {
      guard let content = contents[id], let (entry, type) = members.first,
        let routing = channels.routing(of: entry.key.channel),
        content.plan[routing.channel] == .deliver, let message = content.message(ofMembers: members.map(\.1))
      else { continue }
      let recipient =
        recipients[entry.recipientKey(of: type, contents[entry.key.notification])] ?? Recipient(id: entry.key.user)
      again(entry, id: id, content, message, routing, recipient)
    }
  }

  /// The windows that it matters for whether they are open.
  var windowKeys: Set<HeldStore.WindowKey> { Set(looks.compactMap(\.window)) }

  /// Decides, as if throttles had room.
  ///
  /// - Returns: What throttles must count for that, each notification once.
  mutating func decide(_ windows: [HeldStore.WindowKey: DigestWindow]) -> [HeldStore.ThrottleClaim] {
    self.windows = windows
    var claims: [HeldStore.ThrottleClaim] = []
    var claimed: Set<NotificationID> = []
    for index in looks.indices {
      guard let claim = looks[index].decide(windows), claimed.insert(claim.notification).inserted else { continue }
      claims.append(claim)
    }
    return claims
  }

  /// Decides afresh what throttles have no room for.
  mutating func apply(_ answers: [HeldStore.ThrottleAnswer], to claims: [HeldStore.ThrottleClaim]) {
    var refused: [NotificationID: Date] = [:]
    for (claim, answer) in zip(claims, answers) {
      if case .refused(let until) = answer { refused[claim.notification] = until }
    }
    guard !refused.isEmpty else { return }
    for index in looks.indices {
      guard let until = refused[looks[index].entry.key.notification] else { continue }
      looks[index].refuse(until: until, windows)
    }
  }

  /// What is to be stored: call it once.
  mutating func settlement(composeAbove limit: Int, texts: CompositionTexts) -> HeldSettlement {
    var start = looks.startIndex
    while start < looks.endIndex {
      let key = looks[start].entry.key
      let end =
        looks[start...].firstIndex { $0.entry.key.user != key.user || $0.entry.key.channel != key.channel }
        ?? looks.endIndex
      settle(looks[start..<end], limit: limit, texts: texts)
      start = end
    }
    return HeldSettlement(changes: changes, compositions: composed.map(\.composition), now: now)
  }

  /// What goes out, as it was settled.
  func routed(after result: HeldSettlement.Result) -> (routed: [RoutedNotification], contents: [NotificationContent]) {
    var contents: [NotificationContent] = []
    var known: [RequestID: Int] = [:]
    var routed: [RoutedNotification] = []
    for outgoing in singles + composed.map(\.outgoing) + settled where isSent(outgoing, result) {
      // What one request told many is told once.
      var index = contents.count
      if let former = known[outgoing.requestID], contents[former] == outgoing.content {
        index = former
      } else {
        known[outgoing.requestID] = index
        contents.append(outgoing.content)
      }
      routed.append(
        RoutedNotification(
          outgoing.id,
          over: outgoing.channel,
          to: outgoing.recipient,
          content: index,
          unread: outgoing.unread
        )
      )
    }
    return (routed, contents)
  }

  private func isSent(_ outgoing: Outgoing, _ result: HeldSettlement.Result) -> Bool {
    switch outgoing.condition {
    case .changed: result.changed[outgoing.channel]?.contains(outgoing.id) ?? false
    case .composed: result.composed.contains(outgoing.id)
    case .settled(let entry): result.owned.contains(entry)
    }
  }

  /// Publishes once more what was settled, unless there is nowhere to send it any more.
  private mutating func again(
    _ entry: HeldEntry,
    id: NotificationID,
    _ content: HeldContent,
    _ message: NotificationContent,
    _ routing: any RoutingChannel,
    _ recipient: Recipient
  ) {
    if let objection = routing.objection(to: recipient) {
      changes.append(
        .init(entry, DecisionChange(id: id, userID: recipient.id, from: .deliver, to: .skip(objection)))
      )
      return
    }
    settled.append(
      Outgoing(
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

  /// Settles what one person's channel has.
  private mutating func settle(_ looks: ArraySlice<HeldLook>, limit: Int, texts: CompositionTexts) {
    var told: [NotificationID: HeldLook] = [:]
    for look in looks {
      if look.decision == .deliver { told[look.entry.key.notification] = look } else { change(look) }
    }
    guard let first = looks.first, !told.isEmpty else { return }
    let batch = HeldBatch(
      user: first.entry.key.user,
      channel: first.routing.channel,
      locale: first.recipient.locale,
      zone: first.recipient.zone,
      items: looks.filter { $0.decision == .deliver }.map(\.item)
    )
    for output in batch.outputs(limit: first.routing.attention == .now ? limit : nil, texts: texts) {
      switch output {
      case .single(let id):
        guard let look = told[id] else { continue }
        change(look)
        let content = look.content.message(type: look.type, collapseKey: look.entry.collapseKey)
        singles.append(outgoing(id, look, look.content.requestID, content, .changed))
      case .composed(let composition):
        let members = composition.members.compactMap { told[$0] }
        guard composition.text.excess.isEmpty else {
          for look in members { change(look, to: .skip(.textTooLong)) }
          continue
        }
        guard let content = composition.message(of: members) else { continue }
        let stored = HeldSettlement.Told(
          id: composition.id,
          content: content,
          members: members.map { ($0.entry, $0.former) }
        )
        composed.append(
          (stored, outgoing(composition.id, first, RequestID(composition.id.uuid), content, .composed))
        )
      }
    }
  }

  private mutating func change(_ look: HeldLook) { change(look, to: look.decision) }

  private mutating func change(_ look: HeldLook, to decision: ChannelDecision) {
    let key = look.entry.key
    let change = DecisionChange(id: key.notification, userID: key.user, from: look.former, to: decision)
    changes.append(.init(look.entry, change))
  }

  private func outgoing(
    _ id: NotificationID,
    _ look: HeldLook,
    _ request: RequestID,
    _ content: NotificationContent,
    _ condition: Outgoing.Condition
  ) -> Outgoing {
    Outgoing(
      id: id,
      channel: look.routing.channel,
      recipient: look.recipient,
      requestID: request,
      content: content,
      unread: look.content.unread,
      condition: condition
    )
  }
}

extension [any RoutingChannel] {
  /// What routing knows of a channel; nil for one of another version.
  func routing(of channel: Channel) -> (any RoutingChannel)? { first { $0.channel == channel } }
}
