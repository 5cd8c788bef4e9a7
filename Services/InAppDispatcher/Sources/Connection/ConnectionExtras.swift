import NIOCore
import SignalRProtocol

/// What most connections never need: made when it is first used, so that an idle connection stays small.
final class ConnectionExtras {
  /// What the client's handshake leads to, until the database has answered the last `seq` of the user's inbox.
  var deferred: [HubAction]?
  /// The highest `seq` of the events that the broker has brought meanwhile.
  var announcedSeq: Int?
  private var deferredBytes = 0
  /// What a stateful connection's client has not acknowledged.
  var replay: ReplayBuffer<ByteBuffer>?
  /// Since when a stateful connection has been without a WebSocket.
  var detachedAt: NIODeadline?
  /// Whether the client has said that it looks at something.
  var isViewing = false
  var calls = CallQueue()
  /// The `Resume` in flight.
  var resume: ResumeProgress?

  /// Counts what the client sends while its handshake is not answered.
  ///
  /// - Returns: False if it is too much to wait for that.
  func countDeferred(_ bytes: Int, limit: Int) -> Bool {
    guard deferred != nil else { return true }
    deferredBytes += bytes
    return deferredBytes <= limit
  }
}

extension HubConnection {
  /// The extras, made on first use.
  func neededExtras() -> ConnectionExtras {
    if let extras { return extras }
    let made = ConnectionExtras()
    extras = made
    return made
  }
}
