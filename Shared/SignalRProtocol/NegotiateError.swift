/// Why a negotiation fails; it is answered with 200 and told in the body.
public enum NegotiateError: Error, Sendable, Equatable, CustomStringConvertible {
  case invalidVersion
  case tooManyConnections
  /// The user's connections are kept by another node, and there is no address to redirect to.
  case wrongNode

  /// Whether asking again later may help.
  public var isTransient: Bool { self == .tooManyConnections }

  public var description: String {
    switch self {
    case .invalidVersion: "The client requested an invalid protocol version."
    case .tooManyConnections: "Too many connections."
    case .wrongNode: "This user's connections belong to another node."
    }
  }
}
