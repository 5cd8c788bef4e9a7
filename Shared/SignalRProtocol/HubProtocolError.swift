/// What a peer sent is no hub protocol; the connection ends.
public enum HubProtocolError: Error, Sendable, Equatable {
  /// The bytes are no JSON; the offset is counted from the start of the message.
  case malformedJSON(offset: Int)
  /// The bytes are no MessagePack, e.g. a text is no UTF-8; the offset is counted from the start of the message.
  case malformedMessagePack(offset: Int)
  /// The length before a MessagePack message is no number of 31 bits in at most five bytes.
  case malformedLength
  /// A message lacks a member that its type needs, or the member has the wrong type.
  case malformedMessage(member: String)
  /// A message is longer than the limit, in bytes.
  case messageTooLarge(limit: Int)
  /// More messages came in a second than the limit.
  case tooManyMessages(limit: Int)
  /// Stateful reconnect: messages before this number never arrived.
  case sequenceTooHigh(Int64)
  /// Stateful reconnect: a message of this number was never sent.
  case acknowledgementTooHigh(Int64)

  /// Always false: the same bytes stay wrong.
  public var isTransient: Bool { false }
}

extension HubProtocolError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .malformedJSON(let offset): "A message is not valid JSON at byte \(offset)."
    case .malformedMessagePack(let offset): "A message is not valid MessagePack at byte \(offset)."
    case .malformedLength: "The length of a message cannot be read."
    case .malformedMessage(let member): "A message has a missing or wrong '\(member)'."
    case .messageTooLarge(let limit): "The maximum message size of \(limit)B was exceeded."
    case .tooManyMessages(let limit): "Too many messages; at most \(limit) a second are taken."
    case .sequenceTooHigh(let id): "The sequence \(id) is higher than what has arrived."
    case .acknowledgementTooHigh(let id): "The acknowledged message \(id) was never sent."
    }
  }
}
