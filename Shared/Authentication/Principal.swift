public import Foundation
public import UserIdentity

/// Whom a verified token speaks for.
public struct Principal: Sendable, Hashable {
  /// The user; nil where the token is no user's, as with most services, and of an API key.
  public let user: UserIdentifier?
  /// The subject as the token spells it.
  public let subject: String
  public let roles: Set<Role>
  /// What an API key is limited to; nil of a token: its roles say everything.
  public let scopes: Set<Scope>?
  /// Until when the token is accepted: its end and the allowance for clock skew. What was begun with it ends then, and not
  /// before: it could be begun again. Nil of an API key.
  public let validUntil: Date?

  public init(
    user: UserIdentifier?,
    subject: String,
    roles: Set<Role>,
    scopes: Set<Scope>? = nil,
    validUntil: Date? = nil
  ) {
    self.user = user
    self.subject = subject
    self.roles = roles
    self.scopes = scopes
    self.validUntil = validUntil
  }

  public init(
    userID: UUID?,
    subject: String,
    roles: Set<Role>,
    scopes: Set<Scope>? = nil,
    validUntil: Date? = nil
  ) {
    self.init(
      user: userID.map { UserIdentifier($0) },
      subject: subject,
      roles: roles,
      scopes: scopes,
      validUntil: validUntil
    )
  }

  /// The user's UUID.
  public var userID: UUID? { user?.uuid }
}
