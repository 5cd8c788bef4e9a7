import NIOCore

/// A TCP connection on which requests come, as its event loop looks after it: how they are answered is no affair of the hub's.
protocol HTTPConnection: AnyObject {
  /// Closes the connection if its client has taken too long to complete a request; the registry asks for it at every tick.
  func tick(at now: NIODeadline, timeout: TimeAmount)

  /// Closes the connection if it has no request to answer; the registry asks for it when the drain is over.
  func closeIfIdle()

  func close()
}
