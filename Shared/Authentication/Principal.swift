public import Foundation

/// Whom a verified token speaks for.
public struct Principal: Sendable, Hashable {
  /// The user's id; nil when the subject is no UUID, as with most services.
  public let userID: UUID?
  /// The subject as the token spells it.
  public let subject: String
  public let roles: Set<Role>
  /// What an API key is limited to; nil of a token: its roles say everything.
  public let scopes: Set<Scope>?
  /// When the token ends, without the allowance for clock skew.
  public let expiresAt: Date?

  public init(
    userID: UUID?,
    subject: String,
    roles: Set<Role>,
    scopes: Set<Scope>? = nil,
    expiresAt: Date? = nil
  ) {
    self.userID = userID
    self.subject = subject
    self.roles = roles
    self.scopes = scopes
    self.expiresAt = expiresAt
  }
}
