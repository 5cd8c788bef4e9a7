import JSON

/// A rule as a file has it. Whether it makes sense is known where the files are together: see ``Catalogue/rules``.
struct RuleDefinition: Sendable, Equatable {
  let name: String
  /// The whole entry, `name` included.
  let json: JSONValue
}

extension RuleDefinition {
  init?(_ reader: FieldReader, name: String) {
    self.init(name: name, json: reader.json)
  }
}
