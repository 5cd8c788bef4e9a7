/// What a backend shows the gateway: a token, or an API key.
public struct SenderCredential: Sendable {
  /// Why a credential is asked for.
  public enum Reason: Sendable {
    /// A request is to be sent. Answer what you have; keep a token until it expires.
    case needed
    /// The gateway refused the last one (401). Get a new one: it is tried once.
    case refused
  }

  /// Bytes of a token that the gateway takes.
  static let maximumLength = 16_384

  let header: String
  let prefix: String
  let provide: @Sendable (Reason) async throws -> String

  /// A JWT with the role `service` (`Authorization: Bearer …`), asked for at each attempt.
  public static func token(_ provide: @escaping @Sendable (Reason) async throws -> String) -> Self {
    SenderCredential(header: "Authorization", prefix: "Bearer ", provide: provide)
  }

  /// An API key (`X-Api-Key`), asked for at each attempt, so that it can be changed while the program runs. It needs the scope `send`, and
  /// `read` to list schedules and to read the status of requests.
  public static func apiKey(_ provide: @escaping @Sendable (Reason) async throws -> String) -> Self {
    SenderCredential(header: "X-Api-Key", prefix: "", provide: provide)
  }

  /// An API key that stays the same.
  public static func apiKey(_ key: String) -> Self {
    apiKey { _ in key }
  }

  /// The header's value.
  ///
  /// - Throws: ``SenderError`` with the code `credential`.
  func value(_ reason: Reason) async throws -> String {
    let secret: String
    do {
      secret = try await provide(reason)
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      throw SenderError(.credential, "there is no token or API key", cause: error)
    }
    guard (1...Self.maximumLength).contains(secret.utf8.count),
      secret.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else {
      let expected = "expected 1 to \(Self.maximumLength) visible ASCII characters"
      throw SenderError(.credential, "the token or API key cannot be sent: \(expected)")
    }
    return prefix + secret
  }
}
