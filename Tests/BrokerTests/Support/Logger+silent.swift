import Logging

extension Logger {
  /// Says nothing.
  static var silent: Logger { Logger(label: "silent") { _ in SwiftLogNoOpLogHandler() } }
}
