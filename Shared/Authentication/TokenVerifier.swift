import Cryptography
public import Foundation
import Synchronization

/// Verifies JSON Web Tokens: HS256 with a shared secret, RS256 and ES256 with the keys of a file.
///
/// `exp` is required, `nbf` is respected, `iss` and `aud` are checked where configured. Tokens that passed are
/// remembered until they expire or the keys change.
public final class TokenVerifier: Sendable {
  /// Longer tokens are refused unread, in bytes.
  public static let maximumTokenSize = 16_384

  private struct State {
    var keys: SigningKeys
    var generation = 0
    var cache: TokenCache
    var file: KeyFile?
    /// Why the file's present version could not be read so far: each reason is reported once, not at every look.
    var unread: [AuthenticationError] = []

    /// False for a version of the file that another reload has overtaken.
    mutating func accept(_ version: KeyFile.Version) -> Bool {
      guard file?.accept(version) == true else { return false }
      unread = []
      return true
    }
  }

  private let configuration: TokenVerifierConfiguration
  private let now: @Sendable () -> Date
  private let state: Mutex<State>
  private let headers = TokenHeaderReader()

  /// Loads the keys.
  ///
  /// - Throws: ``AuthenticationError/invalidConfiguration(_:)`` when there is no key, the secret is too short or the
  ///   file is unusable.
  public init(
    configuration: TokenVerifierConfiguration,
    now: @escaping @Sendable () -> Date = { Date() }
  ) throws(AuthenticationError) {
    self.configuration = configuration
    self.now = now
    var file: KeyFile?
    var json: Data?
    if let path = configuration.jwksFile {
      file = try KeyFile(path: path, now: now())
      json = try KeyFile.contents(path: path)
    }
    let keys = try Self.keys(of: configuration, keySet: json)
    guard !keys.isEmpty else { throw .invalidConfiguration("neither a shared secret nor a key set is given") }
    state = Mutex(
      State(keys: keys, cache: TokenCache(maximumTokens: configuration.maximumCachedTokens), file: file)
    )
  }

  /// Whom a token speaks for that was verified before; nil if that is not remembered, or holds no longer.
  public func known(_ token: String) -> Principal? {
    reloadIfChanged()
    let now = now()
    return state.withLock { $0.cache.principal(of: token, at: now) }
  }

  /// Whom the token speaks for, or the reason to refuse it.
  public func verify(_ token: String) throws(AuthenticationError) -> Principal {
    guard !token.isEmpty else { throw .missing }
    guard token.utf8.count <= Self.maximumTokenSize else { throw .malformed }
    reloadIfChanged()
    let now = now()
    let (known, keys, generation) = state.withLock {
      ($0.cache.principal(of: token, at: now), $0.keys, $0.generation)
    }
    if let known { return known }

    let claims = try TokenClaims(json: try Self.payload(of: token, signedWith: keys, headers))
    let validUntil = try check(claims, at: now)
    let principal = try claims.principal(validUntil: validUntil)
    state.withLock {
      if $0.generation == generation { $0.cache.insert(principal, of: token, validUntil: validUntil) }
    }
    return principal
  }

  /// What a token says whose signature is right.
  static func payload(
    of token: String,
    signedWith keys: SigningKeys,
    _ headers: TokenHeaderReader
  ) throws(AuthenticationError) -> [UInt8] {
    let (text, dot) = (Substring(token).utf8, UInt8(ascii: "."))
    guard let first = text.firstIndex(of: dot), let last = text.lastIndex(of: dot), first < last,
      let payload = Base64URL.bytes(text[text.index(after: first)..<last]),
      let signature = Base64URL.bytes(text[text.index(after: last)...])
    else { throw .malformed }
    let fields = try headers.read(text[..<first])
    guard !fields.isCritical else { throw .malformed }
    let signed = Array(text[..<last])
    try keys.verify(algorithm: fields.algorithm, keyID: fields.keyID, signature: signature, signs: signed)
    return payload
  }

  /// Checks the registered claims and answers until when they hold.
  private func check(_ claims: TokenClaims, at now: Date) throws(AuthenticationError) -> Date {
    let skew = configuration.clockSkew / .seconds(1)
    guard let expiresAt = claims.expiresAt else { throw .missingExpiration }
    let validUntil = expiresAt.addingTimeInterval(skew)
    guard validUntil > now else { throw .expired }
    if let notBefore = claims.notBefore, notBefore.addingTimeInterval(-skew) > now { throw .notYetValid }
    if let issuer = configuration.issuer, claims.issuer != issuer { throw .wrongIssuer }
    if let audience = configuration.audience, !claims.audiences.contains(audience) { throw .wrongAudience }
    return validUntil
  }

  private static func keys(
    of configuration: TokenVerifierConfiguration,
    keySet json: Data?
  ) throws(AuthenticationError) -> SigningKeys {
    var keys = SigningKeys()
    if let secret = configuration.sharedSecret { keys.add(try HMACSHA256(tokenSecret: secret)) }
    if let json { try keys.add(keySet: json) }
    return keys
  }

  /// Loads the keys anew if the file has changed; keys that cannot be used leave the known ones in force.
  ///
  /// What could not be read is tried again at the next look. What was read and is no key set waits for its next change.
  private func reloadIfChanged() {
    guard let path = configuration.jwksFile else { return }
    let now = now()
    guard let version = state.withLock({ $0.file?.change(at: now) }) else { return }
    let json: Data
    do {
      json = try KeyFile.contents(path: path)
    } catch {
      let isNew = state.withLock { state in
        guard state.file?.isNews(version) == true, !state.unread.contains(error) else { return false }
        state.unread.append(error)
        return true
      }
      if isNew { configuration.reloadFailed?(error) }
      return
    }
    do {
      let keys = try Self.keys(of: configuration, keySet: json)
      state.withLock { state in
        guard state.accept(version) else { return }
        state.keys = keys
        state.generation += 1
        state.cache.removeAll()
      }
    } catch {
      let isNew = state.withLock { $0.accept(version) }
      if isNew { configuration.reloadFailed?(error) }
    }
  }
}
