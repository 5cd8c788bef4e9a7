/// Where a notification is that was delivered in-app. The codes are stored in `notifications.in_app`, in which those of
/// ``SkipReason`` say why a notification was never delivered there (decision 0040); they never change meaning.
public enum InboxState: Int16, Sendable, CaseIterable {
  case inbox = 0
  /// Its user deleted it. Of another channel the same code says that it was deleted while it waited: ``SkipReason/deleted``.
  case deleted = 13
  /// Its user put it away.
  case archived = 18
  /// Its user put it off, and it comes back at its time.
  case snoozed = 19
  /// Its request was withdrawn after it was sent.
  case withdrawn = 20

  /// Those in which its user still has it, and can do something with it.
  public static let kept: [InboxState] = [.inbox, .archived, .snoozed]

  /// Name in the delivery log (`belfry_skip_reason` in the schema) of what left the inbox.
  public var name: String {
    switch self {
    case .inbox: "inbox"
    case .deleted: "deleted"
    case .archived: "archived"
    case .snoozed: "snoozed"
    case .withdrawn: "withdrawn"
    }
  }
}
