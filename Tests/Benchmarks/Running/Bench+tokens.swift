import Authentication
import LocalStack
import NotificationModel

extension Bench {
  /// Of a backend that may send.
  func serviceToken() async throws -> String {
    try TokenMinter.mint(secret: stack.tokenSecret, subject: "belfry-bench", roles: [.service])
  }

  func token(of user: UserID) async throws -> String {
    try TokenMinter.mint(secret: stack.tokenSecret, subject: user.description)
  }

  /// One for each, made on all processors.
  func tokens(of users: [UserID]) async throws -> [String] {
    let parts = 8
    return try await withThrowingTaskGroup(of: (part: Int, tokens: [String]).self) { group in
      for part in 0..<parts {
        let own = users[users.count * part / parts..<users.count * (part + 1) / parts]
        group.addTask { @concurrent in
          var tokens: [String] = []
          for user in own { tokens.append(try await self.token(of: user)) }
          return (part, tokens)
        }
      }
      return try await group.reduce(into: Array(repeating: [], count: parts)) { $0[$1.part] = $1.tokens }.flatMap(
        \.self
      )
    }
  }
}
