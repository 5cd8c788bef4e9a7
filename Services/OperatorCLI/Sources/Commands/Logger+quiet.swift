import Logging

extension Logger {
  /// For libraries used by a command: only what a person should see.
  static var quiet: Logger {
    var logger = Logger(label: "belfry")
    logger.logLevel = .warning
    return logger
  }
}
