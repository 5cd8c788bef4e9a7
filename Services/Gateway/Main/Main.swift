import Gateway
import ServiceRuntime

@main
struct Main {
  static func main() async {
    await ServiceMain.run(
      name: "belfry-gateway",
      summary: "the REST API: accepts send requests and serves notification centres.",
      configuration: GatewayConfiguration.self,
      build: { try await Gateway.build($0, logger: $1) }
    )
  }
}
