/// What a peer sent is no hub protocol; the connection ends.
public enum HubProtocolError: Error, Sendable, Equatable {
  /// The bytes are no JSON; the offset is counted from the start of the message.
  case malformedJSON(offset: Int)
  /// A message lacks a member that its type needs, or the member has the wrong type.
  case malformedMessage(member: String)
  /// A message is longer than the limit, in bytes.
  case messageTooLarge(limit: Int)

  /// Always false: the same bytes stay wrong.
  public var isTransient: Bool { false }
}

extension HubProtocolError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .malformedJSON(let offset): "A message is not valid JSON at byte \(offset)."
    case .malformedMessage(let member): "A message has a missing or wrong '\(member)'."
    case .messageTooLarge(let limit): "The maximum message size of \(limit)B was exceeded."
    }
  }
}
