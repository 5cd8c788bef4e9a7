import Configuration
import Foundation
import TerminalText

/// Reads a service's configuration strictly: absent means the default, malformed stops the start with the key's name.
///
/// A key such as `database.queryTimeout` is the environment variable `BELFRY_DATABASE_QUERY_TIMEOUT`. `BELFRY_CONFIG_FILE`
/// names a file of the same `KEY=value` lines (the environment wins). Every read also records the key's description, so
/// `--help` and docs/configuration.md come from the code that reads. All problems are gathered and reported at once by
/// ``validate()``.
public final class Settings {
  /// What a key means, as `--help` and the documentation print it.
  public struct Description: Sendable, Hashable {
    /// Dotted name, e.g. `database.url`.
    public let key: String
    /// Name of the environment variable.
    public let variable: String
    /// Kind of value with its unit, e.g. `duration`, `integer 1…65535`.
    public let kind: String
    /// Value when the key is absent; nil when it must be given or means "off".
    public let defaultValue: String?
    /// What the key does, in one sentence.
    public let summary: String
    public let isSecret: Bool
    public let isRequired: Bool
  }

  /// Every key read so far, in the order of reading.
  public private(set) var descriptions: [Description] = []

  private let reader: ConfigReader
  private let names: Set<String>
  private let isDocumenting: Bool
  private var problems: [String] = []
  /// Durations read so far, for the rules between them.
  private var spans: [String: Duration] = [:]
  /// Beginnings of variables that are this service's to know, e.g. `BELFRY_DATABASE_`.
  private var sections: Set<String> = []

  /// - Parameter variables: Environment variables; only those that start with `BELFRY_` are looked at.
  public init(variables: [String: String]) {
    reader = ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: variables))
    names = Set(variables.keys.filter { $0.hasPrefix("BELFRY_") })
    isDocumenting = false
  }

  private init() {
    reader = ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: [:]))
    names = []
    isDocumenting = true
  }

  /// Settings that only gather descriptions: nothing is required, every read answers its default or a placeholder.
  public static func documenting() -> Settings { Settings() }

  /// Reads the process's environment and, where `BELFRY_CONFIG_FILE` names one, a configuration file.
  public static func load() async throws -> Settings {
    var variables = ProcessInfo.processInfo.environment
    if let path = variables.removeValue(forKey: "BELFRY_CONFIG_FILE") {
      guard let text = FileManager.default.contents(atPath: path).map({ String(decoding: $0, as: UTF8.self) }) else {
        throw StartError("BELFRY_CONFIG_FILE: cannot read \(path)")
      }
      for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        let trimmed = line.trimmingCharacters(in: .whitespaces)
        if trimmed.isEmpty || trimmed.hasPrefix("#") { continue }
        guard let equals = trimmed.firstIndex(of: "=") else {
          throw StartError("\(path), line \(number + 1): expected KEY=value")
        }
        let key = trimmed[..<equals].trimmingCharacters(in: .whitespaces)
        let value = trimmed[trimmed.index(after: equals)...].trimmingCharacters(in: .whitespaces)
        if variables[key] == nil { variables[key] = value }
      }
    }
    return Settings(variables: variables)
  }

  // MARK: Reading

  /// Text; `default` nil makes the key required.
  ///
  /// - Parameter isShared: Whether several programs read it from a section that is one program's own: see ``names(_:of:default:_:)``.
  public func string(
    _ key: String,
    default fallback: String?,
    _ summary: String,
    isSecret: Bool = false,
    isShared: Bool = false
  ) -> String {
    describe(
      key,
      kind: "text",
      fallback,
      summary,
      isSecret: isSecret,
      isRequired: fallback == nil,
      ownsSection: !isShared
    )
    if let value = raw(key, isSecret: isSecret) { return value }
    if fallback == nil { miss(key, summary) }
    return fallback ?? ""
  }

  /// Text that may be absent.
  public func optionalString(_ key: String, _ summary: String, isSecret: Bool = false) -> String? {
    describe(key, kind: "text", nil, summary, isSecret: isSecret)
    return raw(key, isSecret: isSecret)
  }

  /// A whole number within `range`.
  public func integer(_ key: String, default fallback: Int, in range: ClosedRange<Int>, _ summary: String) -> Int {
    let kind = "integer \(range.lowerBound)…\(range.upperBound)"
    describe(key, kind: kind, String(fallback), summary)
    guard let text = raw(key) else { return fallback }
    guard let value = Int(text), range.contains(value) else { return malformed(key, text, kind, fallback) }
    return value
  }

  /// A span of time within `range`: a number with `ms`, `s`, `min`, `h` or `d`.
  public func duration(
    _ key: String,
    default fallback: Duration,
    in range: ClosedRange<Duration>,
    _ summary: String
  ) -> Duration {
    let kind = "duration \(range.settingText)"
    describe(key, kind: kind, fallback.settingText, summary)
    var value = fallback
    if let text = raw(key) {
      if let given = Duration(settingText: text), range.contains(given) {
        value = given
      } else {
        value = malformed(key, text, "a \(kind), such as 500ms, 30s, 10min, 1h, 7d", fallback)
      }
    }
    spans[key] = value
    return value
  }

  /// Up to `count` spans of time within `range`, separated by commas, ascending.
  public func durations(
    _ key: String,
    default fallback: [Duration],
    in range: ClosedRange<Duration>,
    atMost count: Int,
    _ summary: String
  ) -> [Duration] {
    let kind = "durations \(range.settingText), ascending, at most \(count)"
    describe(key, kind: kind, fallback.map(\.settingText).joined(separator: ","), summary)
    guard let text = raw(key) else { return fallback }
    let values = text.split(separator: ",").map { Duration(settingText: String($0)) }
    let good = values.compactMap(\.self).filter(range.contains)
    guard !values.isEmpty, values.count <= count, good.count == values.count, good == good.sorted(),
      Set(good).count == good.count
    else { return malformed(key, text, "\(kind), such as 1s,10s,1min", fallback) }
    return good
  }

  /// `true` or `false`.
  public func boolean(_ key: String, default fallback: Bool, _ summary: String) -> Bool {
    describe(key, kind: "true or false", String(fallback), summary)
    guard let text = raw(key) else { return fallback }
    return Bool(text) ?? malformed(key, text, "true or false", fallback)
  }

  /// One of the cases of an enumeration with text as raw value.
  public func choice<Choice: RawRepresentable & CaseIterable>(
    _ key: String,
    default fallback: Choice,
    _ summary: String
  ) -> Choice where Choice.RawValue == String {
    let kind = Choice.allCases.map(\.rawValue).joined(separator: ", ")
    describe(key, kind: kind, fallback.rawValue, summary)
    guard let text = raw(key) else { return fallback }
    return Choice(rawValue: text) ?? malformed(key, text, "one of \(kind)", fallback)
  }

  /// Whatever reads itself from a text, such as a time zone.
  ///
  /// - Parameters:
  ///   - kind: What the text must be, for whoever reads the documentation or an error.
  ///   - isShared: Whether several programs read it from a section that is one program's own: see ``names(_:of:default:_:)``.
  public func value<Value: LosslessStringConvertible>(
    _ key: String,
    default fallback: Value,
    kind: String,
    _ summary: String,
    isShared: Bool = false
  ) -> Value {
    describe(key, kind: kind, fallback.description, summary, ownsSection: !isShared)
    guard let text = raw(key) else { return fallback }
    return Value(text) ?? malformed(key, text, kind, fallback)
  }

  /// Texts separated by commas.
  public func list(_ key: String, default fallback: [String], _ summary: String) -> [String] {
    describe(key, kind: "list, separated by commas", fallback.joined(separator: ","), summary)
    guard let text = raw(key) else { return fallback }
    return Self.entries(of: text)
  }

  /// Texts that are separated by commas, without the blanks around them; none of them is empty. So are several secrets in one text.
  public static func entries(of text: String) -> [String] {
    text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }

  /// What no name stands for in ``names(_:of:default:_:)``: an empty value counts as absent.
  private static let noName = "none"

  /// Names separated by commas, each the text of one of `choices`, or `none`.
  ///
  /// Several programs read such a key from a section that is one program's own. For the others the section's further keys
  /// are no mistakes.
  public func names<Choice: RawRepresentable & Equatable>(
    _ key: String,
    of choices: [Choice],
    default fallback: [Choice],
    _ summary: String
  ) -> [Choice] where Choice.RawValue == String {
    let kind = "\(choices.map(\.rawValue).joined(separator: ", ")) (separated by commas), or \(Self.noName)"
    describe(key, kind: kind, fallback.map(\.rawValue).joined(separator: ","), summary, ownsSection: false)
    guard let text = raw(key) else { return fallback }
    if text.trimmingCharacters(in: .whitespaces).lowercased() == Self.noName { return [] }
    let names = Self.entries(of: text)
    let found = names.map { name in choices.first { $0.rawValue.lowercased() == name.lowercased() } }
    guard !names.isEmpty, !found.contains(where: { $0 == nil }) else {
      let known = choices.map(\.rawValue) + [Self.noName]
      let meant = zip(names, found).lazy.filter { $0.1 == nil }.compactMap { NearestName.of($0.0, among: known) }.first
      return malformed(key, text, kind, fallback, advice: meant.map { "; did you mean \($0)?" } ?? "")
    }
    return found.compactMap(\.self)
  }

  /// Reports unless the duration `key` is shorter than the duration `other`, by more than `margin`; both have been read.
  ///
  /// What is not read here is another program's to check.
  public func require(
    _ key: String,
    shorterThan other: String,
    byMoreThan margin: Duration = .zero,
    _ reason: String
  ) {
    guard let span = spans[key], let limit = spans[other], span + margin >= limit else { return }
    let difference = margin > .zero ? " by more than \(margin.settingText)" : ""
    problem(
      "\(Self.variable(key)) (\(span.settingText)) must be shorter than \(Self.variable(other)) "
        + "(\(limit.settingText))\(difference): \(reason)"
    )
  }

  /// A span of time that was read before; nil if it was not.
  public func span(_ key: String) -> Duration? { spans[key] }

  /// Reports a rule that spans several keys.
  public func problem(_ text: String) {
    if !isDocumenting { problems.append(text) }
  }

  /// Stops the start if anything was missing, malformed or unknown.
  ///
  /// Unknown is a variable in a section (`BELFRY_DATABASE_…`) that this service reads, but which it never asked for.
  public func validate() throws(StartError) {
    let known = Set(descriptions.map(\.variable))
    for name in names.subtracting(known).sorted() where sections.contains(where: name.hasPrefix) {
      problems.append("\(name) is not a setting of this service; --help lists them")
    }
    guard problems.isEmpty else { throw StartError(problems.joined(separator: "; ")) }
  }

  // MARK: Parts

  private func raw(_ key: String, isSecret: Bool = false) -> String? {
    let value = reader.string(forKey: ConfigKey("belfry.\(key)"), isSecret: isSecret)
    return value?.isEmpty == true ? nil : value
  }

  private func describe(
    _ key: String,
    kind: String,
    _ fallback: String?,
    _ summary: String,
    isSecret: Bool = false,
    isRequired: Bool = false,
    ownsSection: Bool = true
  ) {
    if ownsSection { sections.insert(Self.variable(String(key.prefix { $0 != "." })) + "_") }
    descriptions.append(
      Description(
        key: key,
        variable: Self.variable(key),
        kind: kind,
        defaultValue: fallback,
        summary: summary,
        isSecret: isSecret,
        isRequired: isRequired
      )
    )
  }

  private func miss(_ key: String, _ summary: String) {
    problem("\(Self.variable(key)) is required: \(summary)")
  }

  private func malformed<Value>(
    _ key: String,
    _ text: String,
    _ expected: String,
    _ fallback: Value,
    advice: String = ""
  ) -> Value {
    problem("\(Self.variable(key)): expected \(expected), got '\(text.prefix(64))'\(advice)")
    return fallback
  }

  /// The environment variable of a key, for what is reported of it by ``problem(_:)``.
  public static func variable(_ key: String) -> String {
    var name = "BELFRY_"
    for character in key {
      if character == "." {
        name.append("_")
      } else if character.isUppercase {
        name.append("_\(character)")
      } else {
        name.append(character.uppercased())
      }
    }
    return name
  }
}
