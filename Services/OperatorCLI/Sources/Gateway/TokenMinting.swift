import Settings

/// The secret with which tokens are minted.
enum DevelopmentSecret {
  static func read(_ settings: Settings) -> String {
    settings.string("auth.secret", default: nil, "Secret of HS256 tokens, at least 32 bytes.", isSecret: true)
  }
}
