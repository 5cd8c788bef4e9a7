/// Which tokens are accepted.
public struct TokenVerifierConfiguration: Sendable {
  /// The secret of HS256 tokens, at least 32 bytes of UTF-8 (RFC 7518, section 3.2). Nil: HS256 is refused.
  public var sharedSecret: String?
  /// A file with a JSON Web Key Set for RS256 and ES256. It is looked at again at most once a second, through symbolic
  /// links, and reloaded when it has changed, so keys rotate without a restart and a revoked key's tokens are refused a
  /// second later, remembered or not. Nil: both algorithms are refused.
  public var jwksFile: String?
  /// The only accepted `iss`. Nil: any issuer, or none.
  public var issuer: String?
  /// What `aud` must contain. Nil: any audience, or none.
  public var audience: String?
  /// How far the issuer's clock may be off.
  public var clockSkew: Duration
  /// How many verified tokens are remembered until they expire, so that a hot path checks each signature once.
  /// 0 remembers none.
  public var maximumCachedTokens: Int
  /// Called when a changed key set cannot be used; the keys known before stay in force.
  public var reloadFailed: (@Sendable (AuthenticationError) -> Void)?

  public init(
    sharedSecret: String? = nil,
    jwksFile: String? = nil,
    issuer: String? = nil,
    audience: String? = nil,
    clockSkew: Duration = .seconds(30),
    maximumCachedTokens: Int = 10_000,
    reloadFailed: (@Sendable (AuthenticationError) -> Void)? = nil
  ) {
    self.sharedSecret = sharedSecret
    self.jwksFile = jwksFile
    self.issuer = issuer
    self.audience = audience
    self.clockSkew = clockSkew
    self.maximumCachedTokens = maximumCachedTokens
    self.reloadFailed = reloadFailed
  }
}
