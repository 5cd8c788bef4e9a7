/// A server that sends an event to many WebSocket clients.
protocol FanOutServer: Sendable {
  var name: String { get }
  var port: Int { get }
  /// Of all its clients.
  var dialect: ClientDialect { get }
  /// Its processes now.
  var processes: [Int32] { get }

  /// Makes an event that contains ``EventArrivals/text(_:)``.
  ///
  /// - Returns: Publishes it; returns once the server, or what stands before it, has taken it.
  func event(_ number: Int) throws -> @Sendable () async throws -> Void
}
