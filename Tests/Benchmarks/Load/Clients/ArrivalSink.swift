/// Takes what the clients of a fleet receive.
protocol ArrivalSink: Sendable {
  /// Called on the fleet's thread for each message but SignalR's pings and goodbyes.
  ///
  /// - Parameters:
  ///   - client: Which client received it.
  ///   - now: When (``WallTime``).
  func take(_ message: UnsafeRawBufferPointer, client: Int, at now: Int64)
}
