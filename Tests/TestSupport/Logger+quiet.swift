public import Logging

extension Logger {
  /// Tests provoke the warnings that they check otherwise.
  public static var quiet: Logger {
    var logger = Logger(label: "belfry.tests")
    logger.logLevel = .critical
    return logger
  }
}
