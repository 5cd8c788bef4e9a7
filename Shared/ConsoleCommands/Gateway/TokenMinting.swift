public import Authentication
public import Settings

/// What the services take as a token: signed with their shared secret, and from the issuer and to the audience that they require.
public struct TokenMinting {
  private let secret: String
  private let issuer: String?
  private let audience: String?

  /// Reads `auth.…` as the services do.
  public init(_ settings: Settings) {
    let keySet = settings.optionalString("auth.jwksFile", "Key set of the services; tokens cannot be minted from it.")
    issuer = settings.optionalString("auth.issuer", "Required issuer of tokens.")
    audience = settings.optionalString("auth.audience", "Required audience of tokens.")
    let summary = "Secret of HS256 tokens, at least 32 bytes."
    guard keySet != nil else {
      secret = settings.string("auth.secret", default: nil, summary, isSecret: true)
      return
    }
    let secret = settings.optionalString("auth.secret", summary, isSecret: true)
    if secret == nil {
      settings.problem(
        "BELFRY_AUTH_SECRET is not set, and who has the keys of BELFRY_AUTH_JWKS_FILE issues the tokens: give one in BELFRY_CLI_TOKEN or with --token"
      )
    }
    self.secret = secret ?? ""
  }

  public func mint(subject: String = "belfry-cli", roles: Set<Role>, lifetime: Duration = .seconds(300)) throws
    -> String
  {
    try TokenMinter.mint(
      secret: secret,
      subject: subject,
      roles: roles,
      lifetime: lifetime,
      issuer: issuer,
      audience: audience
    )
  }
}
