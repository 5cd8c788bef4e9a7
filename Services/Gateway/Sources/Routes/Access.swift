import Authentication
import HTTPTypes

/// Who may call a route.
enum Access: Hashable, Sendable {
  /// Everybody: no token is looked at.
  case open
  /// Whose token names a user; what is served concerns that user alone.
  case user
  /// Roles service and admin; with an API key, one of this scope.
  case service(Scope)
  /// Role admin.
  case admin

  /// - Throws: 403.
  func check(_ principal: Principal?) throws(Problem) {
    switch self {
    case .open: return
    case .user: if principal?.userID == nil { throw .needsUser }
    case .service(let scope):
      guard let principal, principal.isService else { throw .needsService }
      if let scopes = principal.scopes, !scopes.contains(scope) { throw .needsScope(scope) }
    case .admin: if principal?.roles.contains(.admin) != true { throw .needsAdmin }
    }
  }
}

extension Problem {
  static let needsUser = forbidden("This needs a user's token", "the token's subject is no user id (UUID)")
  fileprivate static let needsAdmin = forbidden("This needs an admin's token", "the token lacks the role 'admin'")
  fileprivate static let needsService = forbidden("This needs a service's token", "the token lacks the role 'service'")

  fileprivate static func needsScope(_ scope: Scope) -> Problem {
    forbidden("This needs another API key", "the key lacks the scope '\(scope.rawValue)'")
  }

  private static func forbidden(_ title: String, _ detail: String) -> Problem {
    Problem(.forbidden, .forbidden, title, detail: detail)
  }
}
