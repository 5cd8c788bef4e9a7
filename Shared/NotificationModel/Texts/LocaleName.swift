/// Names of locales as in BCP 47, e.g. `de-AT`; `de_AT` is read as the same.
enum LocaleName {
  /// One spelling for all: language small, script capitalised, region in capitals. Nil if it is no such name.
  static func canonical(_ text: String) -> String? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
      .flatMap { $0.split(separator: "_", omittingEmptySubsequences: false) }
    guard let language = parts.first, (2...3).contains(language.utf8.count), parts.count <= 8,
      language.utf8.allSatisfy({ isLetter($0) }),
      parts.dropFirst().allSatisfy({ (1...8).contains($0.utf8.count) && $0.utf8.allSatisfy(isLetterOrDigit) })
    else { return nil }
    let subtags = parts.dropFirst().map { part in
      switch part.utf8.count {
      case 2: part.uppercased()
      case 4: part.prefix(1).uppercased() + part.dropFirst().lowercased()
      default: part.lowercased()
      }
    }
    return ([language.lowercased()] + subtags).joined(separator: "-")
  }

  /// The locale and what is more general than it, e.g. `de-AT`, `de`; nothing for a text that names no locale.
  static func chain(_ text: String?) -> [String] {
    guard var name = text.flatMap(canonical) else { return [] }
    var chain = [name]
    while let end = name.lastIndex(of: "-") {
      name = String(name[..<end])
      chain.append(name)
    }
    return chain
  }

  static func language(of text: String) -> String { chain(text).last ?? text.lowercased() }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool { isLetter(byte) || (0x30...0x39).contains(byte) }
}
