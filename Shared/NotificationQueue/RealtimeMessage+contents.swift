public import NotificationModel

extension RealtimeMessage {
  /// Changes and events with those of a batch's contents that they point at.
  public init(changes: [Change] = [], events: [Event], of contents: [NotificationContent]) {
    var selection = ContentSelection(of: contents)
    self.init()
    self.changes = changes.map { change in
      guard case .changed(let own, let content) = change.state else { return change }
      return Change(userId: change.userId, state: .changed(own, content: selection.take(content)))
    }
    self.events = events.map { event in
      guard case .notification(let id, let seq, let content) = event.kind else { return event }
      let kind = Event.Kind.notification(id, seq: seq, content: selection.take(content))
      return Event(kind, userId: event.userId, unread: event.unread)
    }
    self.contents = selection.contents
  }
}
