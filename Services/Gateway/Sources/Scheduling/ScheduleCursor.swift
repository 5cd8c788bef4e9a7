import NotificationModel
import NotificationStore

/// A place in the list of everybody's schedules.
extension ScheduleStore.Cursor {
  /// Nil for a text that no answer gave.
  init?(text: String) {
    // Neither has a control character.
    guard
      let parts = OpaqueText.decoded(text)?.split(separator: "\n", omittingEmptySubsequences: false).map(String.init),
      parts.count == 2, !parts.contains(where: { $0.hasControl() })
    else { return nil }
    self.init(owner: parts[0], key: parts[1])
  }

  var text: String { OpaqueText.encoded("\(owner)\n\(key)") }
}
