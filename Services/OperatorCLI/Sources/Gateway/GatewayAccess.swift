import Authentication
import ConsoleCommands
import Settings

/// Which gateway is asked, and as whom.
struct GatewayAccess {
  let url: String
  private let bearer: Bearer

  private enum Bearer {
    case token(String)
    case minting(TokenMinting)
  }

  init(url: String, token: String) {
    self.url = url
    bearer = .token(token)
  }

  /// Reads `cli.…`, and `auth.…` where a token is to be minted.
  ///
  /// - Parameters:
  ///   - url: Instead of the setting's.
  ///   - token: Instead of the setting's or a minted one.
  init(_ settings: Settings, url: String?, token: String?) {
    // Both are read whatever the options say: what is not read counts as unknown.
    let address = "The gateway, e.g. http://127.0.0.1:8080."
    let settled =
      if url == nil {
        settings.string("cli.gatewayUrl", default: nil, address)
      } else {
        settings.optionalString("cli.gatewayUrl", address) ?? ""
      }
    let secret = settings.optionalString("cli.token", "The token with which the gateway is asked.", isSecret: true)
    self.url = url ?? settled
    bearer =
      if let token = token ?? secret { .token(token) } else { .minting(TokenMinting(settings)) }
  }

  /// - Parameter role: Of a token that is minted; one that was given has its own.
  func token(as role: Role) throws -> String {
    switch bearer {
    case .token(let token): token
    case .minting(let minting): try minting.mint(roles: [role])
    }
  }
}
