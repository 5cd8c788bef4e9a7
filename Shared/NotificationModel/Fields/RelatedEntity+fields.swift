extension RelatedEntity {
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
