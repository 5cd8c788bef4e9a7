/// What notifications are about: a conversation, an account, a chore. Its people may look at it, or mute it.
///
/// Compared without regard to case, for apps write the same UUID in capitals or small letters.
public struct RelatedEntity: Hashable, Sendable {
  /// In lower case.
  public let type: String
  /// In lower case.
  public let id: String

  /// Nil where ``problems(type:id:)`` finds any.
  public init?(type: String, id: String) {
    guard Self.problems(type: type, id: id).isEmpty else { return nil }
    self.type = type.lowercased()
    self.id = id.lowercased()
  }
}
