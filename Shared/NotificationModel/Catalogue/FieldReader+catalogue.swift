import BelfryJSON

/// Kinds of fields that only catalogues have.
extension FieldReader {
  /// A whole number within bounds; nil if absent.
  func integer(_ name: String, in bounds: ClosedRange<Int>) -> Int? {
    let expected = "a whole number from \(bounds.lowerBound) to \(bounds.upperBound)"
    guard let value = optional(name, Int.self, expected: expected) else { return nil }
    guard bounds.contains(value) else {
      problem(name, "expected \(expected)")
      return nil
    }
    return value
  }

  /// One of an enumeration's values; nil if absent.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(_ name: String, _ type: Choice.Type) -> Choice? {
    let expected = Choice.allCases.map(\.rawValue).joined(separator: ", ")
    guard let text = optional(name, String.self, expected: "one of \(expected)") else { return nil }
    guard let choice = Choice(rawValue: text) else {
      problem(name, "'\(text.excerpt)' is not one of \(expected)")
      return nil
    }
    return choice
  }

  /// A time span such as `15min` in seconds, from a second to 30 days; nil if absent.
  func seconds(_ name: String) -> Int? {
    let expected = "a time from 1s to 30d, such as 90s, 15min, 1h or 3d"
    guard let text = optional(name, String.self, expected: expected) else { return nil }
    guard let seconds = Self.seconds(text), (1...30 * 86_400).contains(seconds) else {
      problem(name, "expected \(expected)")
      return nil
    }
    return seconds
  }

  /// Settings write time spans alike, but their parser comes with the configuration library: too much for pure values.
  private static func seconds(_ text: String) -> Int? {
    guard let match = text.wholeMatch(of: /([0-9]{1,9})(s|min|h|d)/), let amount = Int(match.1) else { return nil }
    switch match.2 {
    case "s": return amount
    case "min": return amount * 60
    case "h": return amount * 3_600
    default: return amount * 86_400
    }
  }

  /// An object keyed by channels' names; nil if absent.
  func perChannel<Value>(_ name: String, _ read: (FieldReader, String) -> Value?) -> PerChannel<Value>? {
    object(name) { reader in
      reader.refuseUnknownChannels()
      var values = PerChannel<Value>()
      for routing in reader.routing { values[routing.channel] = read(reader, routing.name) }
      return values
    }
  }

  /// A channel of another version is refused as well: nobody would be notified by it, and here it is as good as a typo.
  private func refuseUnknownChannels() {
    let known = routing.map(\.name)
    for name in names where !known.contains(name) {
      let list = known.joined(separator: ", ")
      problem("", "'\(name.excerpt)' is no channel of this version, which knows \(list)")
    }
  }

  /// Which channels are on; those left out are off. Nil if absent.
  func channels(_ name: String) -> PerChannel<Bool>? {
    perChannel(name) { $0.optional($1, Bool.self, expected: "true or false") ?? false }
  }

  /// `replaces: true`, which says that a built-in entry is meant to go. ``Catalogue/review(_:channels:)`` asks for it.
  func checkReplaces() {
    guard isPresent("replaces") else { return }
    if optional("replaces", Bool.self, expected: "true") == false { problem("replaces", "expected true") }
  }

  /// A name that stands once in its list, without regard to case.
  func name(_ name: String, limit: Int = 64) -> String? {
    guard let text = requiredText(name, limit: limit) else { return nil }
    guard text.first?.isWhitespace == false, text.last?.isWhitespace == false, Int(text) == nil else {
      problem(name, "'\(text.excerpt)' is no name: it is a number, or begins or ends with a space")
      return nil
    }
    return text
  }
}
