import Authentication
import Cryptography
import Foundation
import Logging
import Synchronization
import Transport

/// Keeps one OAuth access token for all senders: fetched with a signed assertion (RFC 7523), refreshed five minutes before
/// it expires, or at once after FCM refused it.
actor AccessTokens {
  private let account: ServiceAccount
  private let client: any HTTPSender
  private let signer: TokenSigner
  private let logger: Logger
  /// Read by every push, which so need not take turns.
  private let token = Mutex<(value: String, expiresAt: Date)?>(nil)
  private var fetch: Task<String, any Error>?

  /// - Throws: `PushError` if the account's private key cannot be used.
  init(account: ServiceAccount, client: any HTTPSender, logger: Logger) throws {
    self.account = account
    self.client = client
    self.logger = logger
    do {
      signer = TokenSigner(key: try PrivateKey(pem: account.privateKey, .rsa), keyID: account.privateKeyID)
    } catch {
      throw PushError("the service account's private_key is no RSA key in PEM")
    }
  }

  /// A token with at least five minutes left. Concurrent callers share one fetch.
  nonisolated func current() async throws -> String {
    if let kept { return kept }
    return try await fetched()
  }

  private nonisolated var kept: String? {
    token.withLock { token in
      guard let token, token.expiresAt > Date.now + 300 else { return nil }
      return token.value
    }
  }

  private func fetched() async throws -> String {
    if let kept { return kept }
    if let fetch { return try await fetch.value }
    // One task for all who wait: a cancelled caller must not take the others' token away.
    let task = Task { try await requestToken() }
    fetch = task
    defer { fetch = nil }
    return try await task.value
  }

  /// Forgets a token that FCM refused, unless it has been replaced already.
  nonisolated func refused(_ value: String) {
    token.withLock { if $0?.value == value { $0 = nil } }
  }

  private func requestToken() async throws -> String {
    let now = Date.now
    let assertion = try signer.sign(
      Assertion(
        iss: account.clientEmail,
        scope: "https://www.googleapis.com/auth/firebase.messaging",
        aud: account.tokenURI,
        iat: Int(now.timeIntervalSince1970),
        exp: Int(now.timeIntervalSince1970) + 3_600
      )
    )
    let form = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=\(assertion)"
    let response = try await client.send(
      HTTPRequest(
        method: "POST",
        url: account.tokenURI,
        headers: [(name: "Content-Type", value: "application/x-www-form-urlencoded")],
        body: Array(form.utf8)
      )
    )
    guard response.status == 200 else {
      let refusal = try? JSONDecoder().decode(Refusal.self, from: Data(response.body))  // only for the message's sake
      throw PushError(
        "the token endpoint answered \(response.status) \(refusal?.error ?? "")",
        isTransient: response.status >= 500
      )
    }
    let grant = try JSONDecoder().decode(Grant.self, from: Data(response.body))
    token.withLock { $0 = (grant.accessToken, now + TimeInterval(grant.expiresIn)) }
    logger.info("fetched an access token", metadata: ["validFor": "\(grant.expiresIn) s"])
    return grant.accessToken
  }

  private struct Assertion: Encodable {
    var iss: String
    var scope: String
    var aud: String
    var iat: Int
    var exp: Int
  }

  private struct Grant: Decodable {
    var accessToken: String
    var expiresIn: Int

    private enum CodingKeys: String, CodingKey {
      case accessToken = "access_token"
      case expiresIn = "expires_in"
    }
  }

  private struct Refusal: Decodable {
    var error: String?
  }
}
