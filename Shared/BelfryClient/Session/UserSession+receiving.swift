import Foundation
import BelfryJSON

/// Takes what the hub sends into the inbox.
extension UserSession {
  func receive(_ event: HubSession.Event) {
    switch event {
    case .ready: break
    case .call(let target, let arguments): call(target, arguments)
    case .missed(let json): receive(json, isMissed: true)
    case .resumed(nil):
      isResumed = true
      inbox.advance()
    case .resumed(let error?): replace(error)
    case .malformed: doubt()
    }
    inboxChanged()
  }

  private func call(_ target: String, _ arguments: [JSONValue]) {
    let first = arguments.first ?? .null
    switch target {
    case "ReceiveNotification": receive(first, isMissed: false)
    case "NotificationRead":
      guard let id = first.string.flatMap(UUID.init(uuidString:)) else { return doubt() }
      let isOwn = inbox.isConcerned(id)
      if !inbox.read(id, now: clock.now), !isOwn { doubt() }
    case "NotificationChanged":
      guard let item = BelfryNotification(first) else { return doubt() }
      let isOwn = inbox.isConcerned(item.id)
      // What was neither expected nor asked for here has to fit to a count, which comes apart from it.
      if !inbox.change(item), !isOwn { doubt() }
    case "NotificationDeleted":
      guard let id = first.string.flatMap(UUID.init(uuidString:)) else { return doubt() }
      inbox.remove(id)
    case "UnreadCountChanged":
      let isExpected = inbox.takeCount(first.count, isAnswer: false)
      // Of more than a hundred nothing else is sent.
      if first.integer == 0 { inbox.readAll(now: clock.now) }
      if isExpected != true { doubt() }
    default:
      outlets.events.send(RelayedEvent(name: target, arguments: arguments))
    }
  }

  private func receive(_ json: JSONValue, isMissed: Bool) {
    guard let item = BelfryNotification(json) else { return doubt() }
    inbox.receive(item, isMissed: isMissed)
    if isResumed { inbox.advance() }
    guard let shown = inbox[item.id] else { return }
    if let seq = shown.seq, let announcedSeq, seq <= announcedSeq { return }
    if inbox.announce(item.id) { outlets.notifications.send(ReceivedNotification(shown, isMissed: isMissed)) }
  }

  /// Asks for what was missed: once for each connection, as soon as it is known from where on.
  func resume() async {
    guard let hub, !hasAskedToResume, let seq = inbox.gapSeq ?? inbox.lastSeq else { return }
    hasAskedToResume = true
    do {
      try await hub.resume(after: seq)
    } catch {
      if self.hub === hub { replace(error as? BelfryError ?? BelfryError(.unavailable)) }
    }
  }
}
