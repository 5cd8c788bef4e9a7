public import Foundation
public import NotificationModel

/// What somebody reported of an address that we write to.
public struct SuppressionEvidence: Sendable {
  public enum Kind: Sendable, Equatable {
    /// It takes no mail, by an enhanced status code (RFC 3463).
    case permanent(String)
    /// Its reader wants no more.
    case complaint
    /// A mail did not arrive this time.
    case soft(String)
    /// An operator said so.
    case manual
  }

  public var address: String
  public var kind: Kind
  /// Where it comes from, e.g. `dsn`, `ses`.
  public var source: String
  /// The server's words.
  public var diagnostic: String?
  public var at: Date
  /// Which mail it is about.
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
