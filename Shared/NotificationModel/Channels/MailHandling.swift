/// What mails of a category are to the servers that take them, as the catalogue says: `mail: { stream: bulk, unsubscribe: true }`.
public struct MailHandling: Sendable, Hashable {
  public var stream: MailStream
  /// Whether a reader may stop the category's mails by one click.
  public var mayUnsubscribe: Bool

  public init(stream: MailStream = .transactional, mayUnsubscribe: Bool = false) {
    self.stream = stream
    self.mayUnsubscribe = mayUnsubscribe
  }

  /// Of categories that say nothing.
  public static let standard = MailHandling()
}

/// Mails that are queued, sent and judged by themselves: what one stream does to its reputation, or how much waits in it, does not
/// delay the other.
///
/// Raw values travel and stand in catalogues: they never change.
public enum MailStream: String, Sendable, CaseIterable {
  /// What somebody waits for: a code, a receipt. It goes first.
  case transactional
  /// What goes to many: news, offers, digests.
  case bulk
}
