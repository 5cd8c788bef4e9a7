/// How the mails of a category are sent.
public struct MailHandling: Sendable, Equatable {
  /// Which of the two streams carries them.
  public var stream: MailStream
  /// Whether readers may unsubscribe from the category.
  public var mayUnsubscribe: Bool

  public init(stream: MailStream = .transactional, mayUnsubscribe: Bool = false) {
    self.stream = stream
    self.mayUnsubscribe = mayUnsubscribe
  }
}

/// Mails that must not wait for each other.
public enum MailStream: String, Sendable, Codable, CaseIterable {
  case transactional, bulk
}
