import Router
import ServiceRuntime

@main
struct Main {
  static func main() async {
    await ServiceMain.run(
      name: "belfry-router",
      summary: "decides who hears of what, on which channels, and in which words.",
      configuration: RouterConfiguration.self,
      build: { try await Router.build($0, logger: $1) }
    )
  }
}
