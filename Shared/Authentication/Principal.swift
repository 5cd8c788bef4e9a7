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
  /// Until when the token is accepted: its end and the allowance for clock skew. What was begun with it ends then, and not
  /// before: it could be begun again. Nil of an API key.
  public let validUntil: Date?

  public init(
    userID: UUID?,
    subject: String,
    roles: Set<Role>,
    scopes: Set<Scope>? = nil,
    validUntil: Date? = nil
  ) {
    self.userID = userID
    self.subject = subject
    self.roles = roles
    self.scopes = scopes
    self.validUntil = validUntil
  }
}
