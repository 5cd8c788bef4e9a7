import ServiceRuntime

/// `belfry-gateway`, as a process.
public enum GatewayProgram {
  /// Runs until the process is told to stop, and ends it.
  public static func run() async {
    await ServiceMain.run(
      name: "belfry-gateway",
      summary: "the REST API: accepts send requests and serves notification centres.",
      configuration: GatewayConfiguration.self,
      build: { try await Gateway.build($0, logger: $1) }
    )
  }
}
