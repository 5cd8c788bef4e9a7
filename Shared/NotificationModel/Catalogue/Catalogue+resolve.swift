extension Catalogue {
  /// The type, if its texts can be filled in from the data.
  ///
  /// - Parameters: `hasTitle` and `hasBody` tell which part the request brings itself.
  /// - Throws: ``ValidationError`` naming `type` or the missing `data.<variable>`s.
  func resolve(
    _ reference: Reference,
    data: [String: String],
    hasTitle: Bool = false,
    hasBody: Bool = false
  ) throws(ValidationError) -> NotificationType {
    guard let found = type(reference) else {
      throw ValidationError([FieldError("type", "\(reference) is not in the catalogue")])
    }
    let missing = found.template.missing(in: data, hasTitle: hasTitle, hasBody: hasBody)
    guard missing.isEmpty else {
      throw ValidationError(missing.map { FieldError("data.\($0)", "is required by the template of \(found.name)") })
    }
    return found
  }
}
