import TestSupport

/// Random versions of a catalogue, and what a notification says that one of them worded.
struct CatalogueModel: Sendable {
  /// A type of one version.
  struct ModelType: Sendable {
    var requiresExtra: Bool
  }

  /// Of the types that come and go.
  static let codes = 2_000..<2_008

  /// Each version's types by code; the first is version 1.
  private(set) var versions: [[Int: ModelType]] = []
  /// Their files.
  private(set) var texts: [String] = []

  init(_ count: Int, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<count { texts.append(next(&random)) }
  }

  /// Makes the next version: some types, some of which need more than the ones before did. Its number is in all of its texts.
  private mutating func next(_ random: inout SplitMix64) -> String {
    var types: [Int: ModelType] = [:]
    for code in Self.codes where random.below(10) < 7 {
      types[code] = ModelType(requiresExtra: random.below(10) < 3)
    }
    versions.append(types)
    let entries = types.sorted { $0.key < $1.key }.map { code, type in
      let title = Self.title(code, version: versions.count, label: "{{label}}")
      let (body, extra) = type.requiresExtra ? ("{{extra}}", ", extra: E") : ("B", "")
      return """
        - { code: \(code), name: Type\(code), category: Tests, title: "\(title)", body: "\(body)", example: { label: L\(extra) } }
        """
    }
    return """
      version: 1
      defaults: { channels: { inApp: true, push: false }, priority: normal, timeToLiveDays: 1, title: T, body: B }
      types: \(entries.isEmpty ? "[]" : "")
      \(entries.joined(separator: "\n"))
      """
  }

  static func title(_ code: Int, version: Int, label: String) -> String { "\(code) by \(version): \(label)" }

  /// Which version worded a notification; nil for words that are no version's.
  func version(of title: String, code: Int, label: String, hasExtra: Bool) -> Int? {
    guard let number = title.split(separator: ":").first?.split(separator: " ").last.flatMap({ Int($0) }),
      versions.indices.contains(number - 1), title == Self.title(code, version: number, label: label),
      let type = versions[number - 1][code], hasExtra || !type.requiresExtra
    else { return nil }
    return number
  }
}
