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
    case .user: if principal?.userID == nil { throw .needsUser(principal) }
    case .service(let scope):
      guard let principal, principal.isService else { throw .needsService }
      if let scopes = principal.scopes, !scopes.contains(scope) { throw .needsScope(scope) }
    case .admin: if principal?.roles.contains(.admin) != true { throw .needsAdmin(principal) }
    }
  }
}

/// What is answered to those who may not, by what they came with.
extension Problem {
  static func needsUser(_ principal: Principal?) -> Problem {
    forbidden("This needs a user's token", principal?.lacking(lackOfUser) ?? "")
  }

  private static let lackOfUser =
    "the token's subject is no user id: 1 to 128 characters, with the role 'user' unless it is a UUID"

  fileprivate static func needsAdmin(_ principal: Principal?) -> Problem {
    forbidden("This needs an admin's token", principal?.lacking("the token lacks the role 'admin'") ?? "")
  }

  /// API keys are a service's.
  fileprivate static let needsService = forbidden("This needs a service's token", "the token lacks the role 'service'")

  fileprivate static func needsScope(_ scope: Scope) -> Problem {
    forbidden("This needs another API key", "the key lacks the scope '\(scope.rawValue)'")
  }

  private static func forbidden(_ title: String, _ detail: String) -> Problem {
    Problem(.forbidden, .forbidden, title, detail: detail)
  }
}

extension Principal {
  /// - Parameter lack: Of a token.
  fileprivate func lacking(_ lack: String) -> String {
    scopes == nil ? lack : "an API key is a service's, whatever its scopes"
  }
}
