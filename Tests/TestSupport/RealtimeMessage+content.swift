package import NotificationModel
package import NotificationQueue

extension RealtimeMessage {
  /// What an event's notification says; nil where the event is of another kind.
  package func content(of event: Event) -> NotificationContent? {
    guard case .notification(_, _, let content) = event.kind else { return nil }
    return contents[content]
  }
}
