import TerminalText

/// What is said of names in a catalogue file that nothing has: the same whether the file could be put together or not.
enum MissingName {
  /// - Returns: Nil if there is such a category.
  static func category(_ name: String, among known: [String]) -> String? {
    guard !known.contains(name) else { return nil }
    return "'\(name.excerpt)' is not one of the categories\(NearestName.advice(name, among: known))"
  }

  /// - Parameter reference: A code, or a name in any case.
  /// - Returns: Nil if there is such a type.
  static func type(_ reference: Catalogue.Reference, names: [String], codes: Set<Int>) -> String? {
    let isThere =
      switch reference {
      case .code(let code): codes.contains(code)
      case .name(let name): names.contains { $0.lowercased() == name.lowercased() }
      }
    guard !isThere else { return nil }
    return "\(reference) is not a type of the catalogue\(NearestName.advice(reference.text, among: names))"
  }
}
