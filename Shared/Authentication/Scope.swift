/// What an API key may do of what a service may.
public enum Scope: String, Sendable, Hashable, CaseIterable {
  /// Notify people: sends, events, schedules, and their withdrawal.
  case send
  /// See what there is, and what became of it.
  case read
  /// Say who there is: change profiles and groups, erase users, and take out all that is held about one.
  case directory
  /// Hand in mails that came back: bounces and complaints.
  case bounces
}
