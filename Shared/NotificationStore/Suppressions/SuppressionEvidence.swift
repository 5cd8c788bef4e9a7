public import Foundation
public import NotificationModel

/// What somebody says of a mail address: a mail server's answer, a bounce, a provider's webhook, an operator.
public struct SuppressionEvidence: Sendable {
  public enum Kind: Sendable, Equatable {
    /// The mail is refused for good. The code is that of RFC 3463, or whatever else the reporter calls it by.
    case permanent(String)
    /// Whoever reads the address called a mail spam.
    case complaint
    /// The mail is refused, and the next may be taken. The code as with a permanent one.
    case soft(String)
    /// The mail is refused for good, and nobody says whose fault it is. The code as with a permanent one.
    case unclear(String)
    /// An operator wants no mail to go there.
    case manual
  }

  /// As it was written; one that no profile can have is passed over.
  public var address: String
  public var kind: Kind
  /// What says so, in a few words: `smtp`, `dsn`, `ses`.
  public var source: String
  /// The words of the server, or the report. They are cut to 500 characters.
  public var diagnostic: String?
  public var at: Date
  /// The mail that it is about, if that is known. What is said of an erased user's is not kept.
  public var deliveryOf: (user: UserID, notification: NotificationID)?

  public init(
    address: String,
    kind: Kind,
    source: String,
    diagnostic: String? = nil,
    at: Date,
    deliveryOf: (user: UserID, notification: NotificationID)? = nil
  ) {
    self.address = address
    self.kind = kind
    self.source = source
    self.diagnostic = diagnostic
    self.at = at
    self.deliveryOf = deliveryOf
  }
}
