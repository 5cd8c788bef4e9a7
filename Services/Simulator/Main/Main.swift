import ServiceRuntime
import Simulator

@main
enum Main {
  static func main() async {
    await ServiceMain.run(
      name: "belfry-simulator",
      summary: "A stand-in for FCM and a mail server, for development and tests.",
      configuration: SimulatorConfiguration.self,
      build: buildSimulator
    )
  }
}
