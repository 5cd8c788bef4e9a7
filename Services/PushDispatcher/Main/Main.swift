import PushDispatcher
import ServiceRuntime

@main
struct Main {
  static func main() async {
    await ServiceMain.run(
      name: "belfry-push",
      summary: "hands notifications to FCM and records what became of them.",
      configuration: PushConfiguration.self,
      build: PushDispatcher.build
    )
  }
}
