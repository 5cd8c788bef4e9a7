extension FieldReader {
  /// A type by its code, or its name; nil if there is none. Absence is a problem.
  public func typeReference(_ field: String) -> Catalogue.Reference? {
    let expected = "a type's code or name"
    guard let value = required(field, Scalar.self, expected: expected) else { return nil }
    if let code = value.integer { return .code(code) }
    if case .text(let name) = value { return Int(name).map { .code($0) } ?? .name(name) }
    problem(field, "expected \(expected)")
    return nil
  }
}
