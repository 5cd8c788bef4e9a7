/// Why a negotiation fails, however often it is tried; it is answered with 200 and stated in the body.
public enum NegotiateError: Error, Sendable, Equatable, CustomStringConvertible {
  case invalidVersion
  /// The user's connections are kept by another node, and there is no address to redirect to.
  case wrongNode

  public var description: String {
    switch self {
    case .invalidVersion: "The client requested an invalid protocol version."
    case .wrongNode: "This user's connections belong to another node."
    }
  }
}
