import Authentication
import LocalStack
import NotificationModel

extension Bench {
  /// Of a backend that may send.
  func serviceToken() async throws -> String {
    try await TokenMinter.mint(secret: stack.tokenSecret, subject: "belfry-bench", roles: [.service])
  }

  func token(of user: UserID) async throws -> String {
    try await TokenMinter.mint(secret: stack.tokenSecret, subject: user.description)
  }
}
