public import ArgumentParser

/// What the commands of both programs share that ask the gateway.
public struct GatewayAddressOption: ParsableArguments {
  @Option(help: ArgumentHelp("The gateway's address; without it, BELFRY_CLI_GATEWAY_URL's.", valueName: "url"))
  public var gateway: String?

  public init() {}
}
