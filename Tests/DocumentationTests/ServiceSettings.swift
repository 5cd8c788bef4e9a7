import EmailDispatcher
import Gateway
import InAppDispatcher
import PushDispatcher
import Router
import ServiceRuntime
import Settings
import Simulator
import Testing

/// The settings of one program, as its code reads them.
struct ServiceSettings: Sendable, CustomTestStringConvertible {
  let program: String
  let settings: [Settings.Description]
  /// Reads them all, as the program does at its start.
  let read: @Sendable (Settings) -> Void

  var testDescription: String { program }

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
    let read: @Sendable (Settings) -> Void = { settings in
      _ = ProcessConfiguration(settings)
      _ = Configuration(settings)
    }
    let settings = Settings.documenting()
    read(settings)
    return ServiceSettings(program: program, settings: settings.descriptions, read: read)
  }
}
