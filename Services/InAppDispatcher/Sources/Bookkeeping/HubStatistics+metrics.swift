import SignalRProtocol

extension HubStatistics.Event {
  /// All that are counted; those of one name together.
  static var all: [HubStatistics.Event] {
    HubTransport.allCases.map { .opened($0) } + HubStatistics.EndReason.allCases.map { .ended($0) }
      + [
        .established, .reattached, .unauthorized, .refused, .received, .delivered, .replayed, .undecodable, .called,
        .callFailed,
      ]
  }

  /// The name and the dimension under which it is counted; `/metrics` adds `_total`, as is usual there.
  var metric: (name: String, dimension: (String, String)?) {
    switch self {
    case .opened(let transport): ("belfry_inapp_connections_opened", ("transport", transport.rawValue))
    case .ended(let reason): ("belfry_inapp_connections_ended", ("reason", reason.rawValue))
    case .established: ("belfry_inapp_handshakes", nil)
    case .reattached: ("belfry_inapp_reattached", nil)
    case .unauthorized: ("belfry_inapp_unauthorized", nil)
    case .refused: ("belfry_inapp_refused", nil)
    case .received: ("belfry_inapp_messages", nil)
    case .delivered: ("belfry_inapp_delivered", nil)
    case .replayed: ("belfry_inapp_replayed", nil)
    case .undecodable: ("belfry_inapp_undecodable", nil)
    case .called: ("belfry_inapp_calls", nil)
    case .callFailed: ("belfry_inapp_calls_failed", nil)
    }
  }

  /// What it means, for operators.
  var help: String {
    switch self {
    case .opened: "Hub connections by transport."
    case .ended:
      "Connections ended by the hub or by a client's goodbye, by reason; those that just broke are not among them."
    case .established: "Handshakes that succeeded."
    case .reattached: "Stateful connections taken up by another WebSocket."
    case .unauthorized: "Requests without a valid token."
    case .refused: "Requests on the hub refused for another reason."
    case .received: "Realtime messages that the broker brought and that could be read; each holds one event or more."
    case .delivered: "Events written, counted once for each connection."
    case .replayed: "Notifications read from the database for clients that had missed them."
    case .undecodable: "Broker messages and events that could not be used."
    case .called: "Methods called by clients."
    case .callFailed: "Calls answered with an error."
    }
  }
}
