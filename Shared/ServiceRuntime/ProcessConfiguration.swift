public import Logging
public import Settings

/// The settings that every service has.
public struct ProcessConfiguration: ServiceConfiguration {
  public var logLevel: Logger.Level
  public var shutdownDeadline: Duration

  /// Reads `log.level` and `service.shutdownDeadline`.
  public init(_ settings: Settings) {
    logLevel = settings.choice("log.level", default: LogLevel.info, "Least severe level that is logged.").level
    shutdownDeadline = settings.duration(
      "service.shutdownDeadline",
      default: .seconds(25),
      in: .seconds(1) ... .seconds(3_600),
      "How long work in flight may take to drain after SIGTERM."
    )
  }
}
