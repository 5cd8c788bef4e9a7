public import Logging

extension Logger {
  /// For libraries used by a command, whose errors are reported when they are thrown: their warnings would say it before.
  public static var quiet: Logger {
    var logger = Logger(label: "belfry")
    logger.logLevel = .error
    return logger
  }
}
