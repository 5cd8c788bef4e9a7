import InAppDispatcher
import ServiceRuntime

@main
enum Main {
  static func main() async {
    await ServiceMain.run(
      name: "belfry-inapp",
      summary: "Holds the open connections of apps and browsers and tells them what is new, over SignalR.",
      configuration: InAppConfiguration.self,
      build: buildInAppDispatcher
    )
  }
}
