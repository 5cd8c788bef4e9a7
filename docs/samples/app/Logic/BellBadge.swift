/// What the bell in the toolbar shows and says.
struct BellBadge: Sendable, Equatable {
  /// Nil: no badge.
  let text: String?
  let accessibilityLabel: String

  /// - Parameter count: Nil while it is not known.
  init(_ count: Int?) {
    let count = max(count ?? 0, 0)
    text = count == 0 ? nil : count > 99 ? "99+" : String(count)
    accessibilityLabel = count == 0 ? "Notifications" : "Notifications, \(count) unread"
  }
}
