import ArgumentParser
import Authentication
import Settings

/// What the commands share that ask the gateway: which one, and as whom.
struct GatewayOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The gateway's address; without it, BELFRY_CLI_GATEWAY_URL's.", valueName: "url"))
  var gateway: String?

  @Option(
    help: ArgumentHelp(
      "A token with the role that is needed; without it, one is minted with BELFRY_AUTH_SECRET.",
      valueName: "jwt"
    )
  )
  var token: String?

  @OptionGroup var stack: StackOptions

  init() {}

  /// Runs the body with the gateway.
  ///
  /// - Parameter role: Of the token that is minted if none was given.
  @discardableResult
  func using<Result>(as role: Role, _ body: (GatewayClient) async throws -> Result) async throws -> Result {
    let url =
      if let gateway {
        gateway
      } else {
        try await stack.read { settings in
          settings.string("cli.gatewayUrl", default: nil, "The gateway, e.g. http://127.0.0.1:8080.")
        }
      }
    let token =
      if let token { token } else { try await stack.read { TokenMinting($0) }.mint(roles: [role]) }
    return try await GatewayClient.using(url: url, token: token, body)
  }
}
