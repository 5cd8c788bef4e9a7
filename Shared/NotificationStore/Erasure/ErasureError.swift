/// Why something is not done beside the erasure of a user. Both pass by themselves.
public enum ErasureError: Error, Sendable, CustomStringConvertible {
  /// The user was erased after something was asked for, and before it could be written.
  case erasedMeanwhile
  /// What was being written when the user was erased did not come to its end.
  case stillWritten

  public var description: String {
    switch self {
    case .erasedMeanwhile: "the user was erased while this was on its way"
    case .stillWritten: "what was being written when the user was erased has not ended: erase again"
    }
  }
}
