public import Settings

extension TokenVerifierConfiguration: ServiceConfiguration {
  /// Reads `auth.…`.
  public init(_ settings: Settings) {
    let secret = settings.optionalString(
      "auth.secret",
      "Shared secret of HS256 tokens, at least 32 bytes.",
      isSecret: true
    )
    let jwksFile = settings.optionalString(
      "auth.jwksFile",
      "JSON Web Key Set with the keys of RS256 and ES256 tokens; reloaded when it changes."
    )
    let issuer = settings.optionalString("auth.issuer", "Required issuer of tokens.")
    let audience = settings.optionalString("auth.audience", "Required audience of tokens.")
    self.init(sharedSecret: secret, jwksFile: jwksFile, issuer: issuer, audience: audience)
    if secret == nil, jwksFile == nil {
      settings.problem("BELFRY_AUTH_SECRET or BELFRY_AUTH_JWKS_FILE is required: without one no token can be verified")
    }
  }
}
