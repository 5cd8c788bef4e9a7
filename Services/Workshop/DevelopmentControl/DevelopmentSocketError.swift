/// What keeps the simulator and `belfry-dev run` from talking.
public enum DevelopmentSocketError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The other side said what is no message.
  case malformed(String)
  case lineTooLong
  /// The kernel's limit.
  case pathTooLong(String)
  /// Nobody answered, or not in time.
  case noAnswer

  public var description: String {
    switch self {
    case .malformed(let reason): "a line of the development socket cannot be read: \(reason)"
    case .lineTooLong: "a line of the development socket is longer than \(LineDecoder.maximumLength) bytes"
    case .pathTooLong(let path):
      "the path of the development socket is longer than 107 bytes: \(path). Choose a shorter data directory."
    case .noAnswer: "belfry-dev did not answer on its development socket"
    }
  }
}
