import JSON

/// An entry that a later file may replace or switch off by its name: `{ name: miss-you, off: true }`.
struct Overridable<Entry> {
  let name: String
  /// Nil if it is off.
  let entry: Entry?

  static var offFields: Set<String> { ["name", "off"] }

  /// - Parameter read: Reads the entry, given its name.
  init?(_ reader: FieldReader, _ read: (FieldReader, String) -> Entry?) {
    guard let name = reader.name("name") else { return nil }
    self.name = name
    guard reader.isPresent("off") else {
      guard let entry = read(reader, name) else { return nil }
      self.entry = entry
      return
    }
    reader.refuseUnknown(known: Self.offFields)
    if reader.optional("off", Bool.self, expected: "true") != true { reader.problem("off", "expected true") }
    entry = nil
  }

  /// Names as they are compared.
  var key: String { name.lowercased() }
}

extension Overridable: Sendable where Entry: Sendable {}
