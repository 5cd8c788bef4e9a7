/// What a connection can do at the moment, for readiness.
public enum BrokerState: Sendable, Equatable {
  case connected
  /// Connected, but an alarm of the broker (memory, disk) stops publishing.
  case blocked
  case disconnected
}
