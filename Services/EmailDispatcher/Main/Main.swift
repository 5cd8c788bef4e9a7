import EmailDispatcher
import ServiceRuntime

@main
struct Main {
  static func main() async {
    await ServiceMain.run(
      name: "belfry-email",
      summary: "hands notifications to a mail server and records what became of them.",
      configuration: EmailConfiguration.self,
      build: EmailDispatcher.build
    )
  }
}
