/// How the live connection is.
public enum ConnectionState: String, Sendable, Hashable, CaseIterable {
  /// Nobody has asked for one.
  case disconnected
  /// For the first time.
  case connecting
  /// The hub has taken the connection.
  case connected
  /// It was lost, or could not be made; the client tries again by itself.
  case reconnecting
  /// The server refuses the user; ``BelfryClient/retry()`` tries again.
  case unauthorized
  /// The app is behind others, or has paused it.
  case paused

  /// Whether nothing is tried.
  var isIdle: Bool {
    switch self {
    case .disconnected, .unauthorized, .paused: true
    case .connecting, .connected, .reconnecting: false
    }
  }
}
