/// The parts of a rule's text, each taken out once.
struct RecurrenceParts {
  private var rest: [(name: Substring, value: Substring)] = []

  /// RFC 5545 names them; the others of it are known by name too.
  private static let unsupported: Set<Substring> = [
    "BYSETPOS", "BYWEEKNO", "BYYEARDAY", "BYHOUR", "BYMINUTE", "BYSECOND", "BYEASTER", "RSCALE", "SKIP",
  ]

  /// Splits text in capitals at its semicolons.
  init(_ text: String) throws(RecurrenceError) {
    let body = text.hasPrefix("RRULE:") ? text.dropFirst(6) : text[...]
    guard !body.isEmpty else { throw RecurrenceError("", "is empty") }
    for part in body.split(separator: ";", omittingEmptySubsequences: false) {
      guard let equals = part.firstIndex(of: "=") else {
        throw RecurrenceError("", part.isEmpty ? "has an empty part" : "has a part without \"=\"")
      }
      let name = part[..<equals]
      if rest.contains(where: { $0.name == name }) { throw RecurrenceError(Self.shown(name), "stands there twice") }
      rest.append((name, part[part.index(after: equals)...]))
    }
  }

  /// The value of a part; nil if the rule does not have it.
  mutating func take<Value>(
    _ name: String,
    _ read: (Substring) throws(RecurrenceError) -> Value
  ) throws(RecurrenceError) -> Value? {
    guard let index = rest.firstIndex(where: { $0.name == name }) else { return nil }
    return try read(rest.remove(at: index).value)
  }

  /// The values of a part that is a list, none twice; empty if the rule does not have it.
  mutating func list<Value: Hashable>(
    _ name: String,
    _ read: (Substring) -> Value?
  ) throws(RecurrenceError) -> [Value] {
    try take(name) { (text) throws(RecurrenceError) in
      var values: [Value] = []
      for item in text.split(separator: ",", omittingEmptySubsequences: false) {
        guard let value = read(item) else { throw RecurrenceError(name, "cannot have \"\(Self.shown(item))\"") }
        if values.contains(value) { throw RecurrenceError(name, "has \(Self.shown(item)) twice") }
        values.append(value)
      }
      return values
    } ?? []
  }

  /// What has not been taken is not supported.
  func refuseOthers() throws(RecurrenceError) {
    guard let other = rest.first?.name else { return }
    let isKnown = Self.unsupported.contains(other)
    throw RecurrenceError(Self.shown(other), isKnown ? "is not supported" : "is not a part of a recurrence rule")
  }

  /// Somebody else's text, fit for a message: short, printable ASCII.
  private static func shown(_ text: Substring) -> String {
    let printable = text.unicodeScalars.prefix(20).map { (" "..."~").contains($0) ? $0 : "?" }
    return String(String.UnicodeScalarView(printable))
  }
}
