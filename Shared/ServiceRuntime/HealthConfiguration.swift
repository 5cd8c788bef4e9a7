public import Settings

/// Where the health endpoints listen.
public struct HealthConfiguration: ServiceConfiguration {
  public var host: String
  /// 0 turns the server off.
  public var port: Int

  /// Reads `health.host` and `health.port`.
  public init(_ settings: Settings) {
    host = settings.string(
      "health.host",
      default: "127.0.0.1",
      "Address on which /health/live and /health/ready are served."
    )
    port = settings.integer(
      "health.port",
      default: 0,
      in: 0...65_535,
      "Port of the health endpoints; 0 turns them off."
    )
  }

  init(host: String, port: Int) {
    self.host = host
    self.port = port
  }
}
