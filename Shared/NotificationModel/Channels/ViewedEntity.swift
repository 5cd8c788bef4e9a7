/// Something that a person has on the screen: a conversation, an account, a chore.
///
/// Compared without regard to case, for apps write the same UUID in capitals or small letters.
public struct ViewedEntity: Hashable, Sendable {
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

  /// What keeps the two from naming an entity: neither is empty, and the limits are those of a send request.
  public static func problems(type: String, id: String) -> [FieldError] {
    [problem("entityType", type, limit: 64), problem("entityId", id, limit: 128)].compactMap { $0 }
  }

  private static func problem(_ name: String, _ text: String, limit: Int) -> FieldError? {
    if text.isEmpty { return FieldError(name, "must not be empty") }
    if let excess = text.lengthProblem(limit: limit) { return FieldError(name, excess) }
    return text.hasControl() ? FieldError(name, "must not contain control characters") : nil
  }
}
