/// The version of negotiation that a client asks for in the query's `negotiateVersion`.
public enum NegotiateVersion: Int, Sendable, Equatable {
  /// The connection id is public and opens the connection.
  case zero = 0
  /// A secret connection token opens the connection; the id is only a name.
  case one = 1

  /// Absent is 0, more than 1 is 1.
  public static func parse(_ text: String?) throws(NegotiateError) -> NegotiateVersion {
    guard let text else { return .zero }
    guard let number = Int(text), number >= 0 else { throw NegotiateError.invalidVersion }
    return number == 0 ? .zero : .one
  }
}
