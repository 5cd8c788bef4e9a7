import Authentication
import Foundation
import NotificationModel

/// Somebody with a token.
struct Caller: Sendable {
  /// Whom the token is of; a service has one too, which nothing is stored under.
  let id: UserID
  let token: String

  static func user(_ id: UserID = UserID(UUID())) async throws -> Caller {
    Caller(id: id, token: try await TokenMinter.mint(secret: TestGateway.secret, subject: id.description))
  }

  static func service(_ subject: String = "shop", role: Role = .service) async throws -> Caller {
    let token = try await TokenMinter.mint(secret: TestGateway.secret, subject: subject, roles: [role])
    return Caller(id: UserID(UUID()), token: token)
  }
}
