import NotificationModel

/// What a type is sent with where nobody says anything else.
enum DemoData {
  /// The type's example, and something for each variable that it leaves out.
  static func of(_ type: NotificationType) -> [String: String] {
    var data = example(of: type)
    // What stands within a section is needed once the section is shown, so one round may bring the next.
    for _ in 0..<8 {
      let missing = type.template.missing(in: data)
      guard !missing.isEmpty else { break }
      for name in missing { data[name] = placeholder(name) }
    }
    return data
  }

  /// What the catalogue itself gives as the type's example.
  static func example(of type: NotificationType) -> [String: String] { type.example ?? [:] }

  /// Something that may stand where a variable of that name does.
  static func placeholder(_ name: String) -> String {
    let words = spaced(name).split(separator: " ").map(String.init)
    for (value, hints) in hints where words.contains(where: hints.contains) { return value }
    return words.joined(separator: " ")
  }

  private static let hints: [(String, Set<String>)] = [
    ("1001", ["id", "number", "code", "reference"]),
    ("12.50", ["amount", "price", "total", "balance", "sum", "cost"]),
    ("3", ["count", "quantity", "items", "days", "hours", "minutes"]),
    ("2026-12-01", ["date", "day", "due"]),
    ("18:30", ["time"]),
    ("Sam", ["name", "sender", "author", "customer", "user", "who", "by", "from"]),
    ("https://example.com", ["url", "link"]),
  ]

  /// `orderShipped`, `OrderShipped` and `order_shipped` are `order shipped`.
  static func spaced(_ name: String) -> String {
    var words = ""
    var previous: Character = " "
    for character in name {
      let isPlain = character.isLetter || character.isNumber
      if isPlain, character.isUppercase, previous.isLowercase || previous.isNumber { words += " " }
      words += isPlain ? character.lowercased() : " "
      previous = character
    }
    return words.split(separator: " ").joined(separator: " ")
  }
}
