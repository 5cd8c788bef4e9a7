/// What has become of the clients of a fleet.
struct FleetReport: Sendable {
  var open = 0
  /// Connections that the server ended.
  var lost = 0
  /// Attempts to connect that failed.
  var failures = 0
  /// Clients whose reconnecting is over without success: their users see an error.
  var givenUp = 0
  /// When a connection was opened last (``WallTime``).
  var lastOpenedAt: Int64 = 0
  /// Why an attempt failed last.
  var reason = ""
}
