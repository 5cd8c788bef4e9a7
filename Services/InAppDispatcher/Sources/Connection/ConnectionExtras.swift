import NIOCore
import SignalRProtocol

/// What most connections never need: made when it is first used, so that an idle connection stays small.
final class ConnectionExtras {
  /// What is to be done once the last `seq` of the user's inbox is known.
  var deferred: [HubAction]?
  /// The highest `seq` that was told meanwhile.
  var toldSeq: Int?
  private var deferredBytes = 0
  /// What a stateful connection's client has not acknowledged.
  var replay: ReplayBuffer<ByteBuffer>?
  /// Since when a stateful connection has been without a WebSocket.
  var detachedAt: NIODeadline?
  /// Whether the client has said that it looks at something.
  var isViewing = false
  var calls = CallQueue()
  /// The `Resume` under way.
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
