/// One of many clients: where it stands.
struct FleetClient {
  enum Phase {
    /// Not wanted, or given up.
    case off
    /// Between two attempts, until ``FleetClient/dueAt``.
    case waiting
    // An attempt, which must succeed by `dueAt`.
    case connecting
    case upgrading
    case shakingHands
    case open
  }

  var phase = Phase.off
  var socket: Int32 = -1
  /// Counts the sockets, so that a late event of an old one is known as such.
  var generation: UInt32 = 0
  var dueAt: Int64 = 0
  /// Attempts failed since the connection was last open.
  var failures = 0
  /// The server's goodbye said that the client must not come back.
  var isDismissed = false
  /// The beginning of a frame whose end has not come.
  var rest: [UInt8] = []

  var isTrying: Bool {
    switch phase {
    case .connecting, .upgrading, .shakingHands: true
    case .off, .waiting, .open: false
    }
  }
}
