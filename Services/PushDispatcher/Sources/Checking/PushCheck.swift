public import Logging

/// Finds out whether the providers that a push dispatcher would serve take its pushes; nothing is delivered.
public enum PushCheck {
  /// One provider after another, in the order of the settings.
  public static func run(_ configuration: PushConfiguration, logger: Logger) async -> [PushFinding] {
    var findings: [PushFinding] = []
    for factory in configuration.factories { findings += await factory.check(logger: logger) }
    return findings
  }
}
