import Logging

/// The levels a service can be told to log at.
enum LogLevel: String, CaseIterable {
  case debug, info, warning, error

  var level: Logger.Level {
    switch self {
    case .debug: .debug
    case .info: .info
    case .warning: .warning
    case .error: .error
    }
  }
}
