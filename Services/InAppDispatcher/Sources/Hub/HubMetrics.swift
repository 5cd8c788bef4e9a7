import SignalRProtocol

/// The hub's counts in Prometheus' text format (version 0.0.4).
enum HubMetrics {
  static func text(_ statistics: HubStatistics, connections: Int) -> String {
    var text = ""
    func family(_ name: String, _ kind: String, _ help: String, _ samples: [(labels: String, value: Int)]) {
      text += "# HELP belfry_inapp_\(name) \(help)\n# TYPE belfry_inapp_\(name) \(kind)\n"
      for sample in samples { text += "belfry_inapp_\(name)\(sample.labels) \(sample.value)\n" }
    }
    func counter(_ name: String, _ help: String, _ event: HubStatistics.Event) {
      family(name, "counter", help, [("", statistics[event])])
    }
    family("connections", "gauge", "Open hub connections.", [("", connections)])
    family(
      "connections_opened_total",
      "counter",
      "Hub connections by transport.",
      HubTransport.allCases.map { ("{transport=\"\($0.rawValue)\"}", statistics[.opened($0)]) }
    )
    family(
      "connections_ended_total",
      "counter",
      "Connections ended by the hub or by a client's goodbye, by reason; those that just broke are not among them.",
      HubStatistics.EndReason.allCases.map { ("{reason=\"\($0.rawValue)\"}", statistics[.ended($0)]) }
    )
    counter("handshakes_total", "Handshakes that succeeded.", .established)
    counter("reattached_total", "Stateful connections taken up by another WebSocket.", .reattached)
    counter("unauthorized_total", "Requests without a valid token.", .unauthorized)
    counter("refused_total", "Requests on the hub refused for another reason.", .refused)
    counter(
      "messages_total",
      "Realtime messages that the broker brought and that could be read; each holds one event or more.",
      .received
    )
    counter("delivered_total", "Events written, counted once for each connection.", .delivered)
    counter("replayed_total", "Notifications read from the database for clients that had missed them.", .replayed)
    counter("undecodable_total", "Broker messages and events that could not be used.", .undecodable)
    counter("calls_total", "Methods called by clients.", .called)
    counter("calls_failed_total", "Calls answered with an error.", .callFailed)
    return text
  }
}
