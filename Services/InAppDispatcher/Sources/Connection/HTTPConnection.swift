import NIOCore

/// A TCP connection on which requests come, as its event loop looks after it: how they are answered is no affair of the hub's.
protocol HTTPConnection: AnyObject {
  /// Closes a connection that has waited for too long for a complete request.
  func tick(at now: NIODeadline, timeout: TimeAmount)

  /// Closes a connection that has no request to answer.
  func closeIfIdle()

  func close()
}
