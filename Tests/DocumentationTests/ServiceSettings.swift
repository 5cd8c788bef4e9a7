import EmailDispatcher
import Gateway
import InAppDispatcher
import PushDispatcher
import Router
import ServiceRuntime
import Settings
import Simulator

/// The settings of one program, as its code reads them.
struct ServiceSettings {
  let program: String
  let settings: [Settings.Description]

  static let all = [
    of("belfry-gateway", GatewayConfiguration.self),
    of("belfry-router", RouterConfiguration.self),
    of("belfry-push", PushConfiguration.self),
    of("belfry-email", EmailConfiguration.self),
    of("belfry-inapp", InAppConfiguration.self),
    of("belfry-simulator", SimulatorConfiguration.self),
  ]

  /// What `--help` of the program lists.
  private static func of<Configuration: ServiceConfiguration>(
    _ program: String,
    _ configuration: Configuration.Type
  ) -> ServiceSettings {
    let settings = Settings.documenting()
    _ = ProcessConfiguration(settings)
    _ = Configuration(settings)
    return ServiceSettings(program: program, settings: settings.descriptions)
  }
}
