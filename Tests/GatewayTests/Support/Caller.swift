import Authentication
import Foundation
import HTTPTypes
import NotificationModel

@testable import Gateway

/// Somebody with a token, or with an API key.
struct Caller: Sendable {
  /// Whom the token is of; a service has one too, which nothing is stored under.
  let id: UserID
  /// As what the caller is known: what it makes is kept under this.
  let subject: String
  /// Empty of who has a key.
  let token: String
  /// What says who it is.
  let headers: HTTPFields

  init(id: UserID, subject: String? = nil, token: String) {
    self.id = id
    self.subject = subject ?? id.description
    self.token = token
    headers = [.authorization: "Bearer \(token)"]
  }

  /// A service with an API key.
  ///
  /// - Parameter id: Of the key.
  init(key: String, id: String) {
    self.id = UserID(UUID())
    subject = "key:\(id)"
    token = ""
    headers = [.apiKey: key]
  }

  static func user(_ id: UserID = UserID(UUID())) async throws -> Caller {
    Caller(id: id, token: try TokenMinter.mint(secret: TestGateway.secret, subject: id.description))
  }

  static func service(_ subject: String = "shop", role: Role = .service) async throws -> Caller {
    let token = try TokenMinter.mint(secret: TestGateway.secret, subject: subject, roles: [role])
    return Caller(id: UserID(UUID()), subject: subject, token: token)
  }
}
