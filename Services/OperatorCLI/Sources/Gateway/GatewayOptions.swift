import ArgumentParser
import Authentication
import ConsoleCommands
import Settings

/// What the commands share that ask the gateway: which one, and as whom.
struct GatewayOptions: ParsableArguments {
  @OptionGroup var address: GatewayAddressOption

  @Option(
    help: ArgumentHelp(
      "A token with the role that is needed; without it, BELFRY_CLI_TOKEN's, or one that is minted with BELFRY_AUTH_SECRET.",
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
    let access = try await access()
    let token = try access.token(as: role)
    return try await GatewayClient.using(url: access.url, token: token, body)
  }

  /// From the options alone where they say all: then no setting has to be there.
  private func access() async throws -> GatewayAccess {
    let gateway = address.gateway
    if let gateway, let token { return GatewayAccess(url: gateway, token: token) }
    return try await stack.read(instead: "--gateway and --token") { GatewayAccess($0, url: gateway, token: token) }
  }
}
