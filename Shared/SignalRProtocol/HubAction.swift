/// What a connection's owner has to do next.
public enum HubAction: Sendable, Equatable {
  /// Send these bytes as one frame; stateful reconnect does not number them.
  case send([UInt8])
  /// The handshake is done: from now on the connection may receive messages.
  case established
  /// Handle a message of a numbered type (``HubMessage/isNumbered``) that the client sent.
  case handle(HubMessage)
  /// Forget what was kept for a stateful connection up to this number: ``ReplayBuffer/acknowledge(_:)``.
  case acknowledged(Int64)
  /// Send what is pending and close; nothing more will be received or sent.
  case close(HubCloseReason)
}
