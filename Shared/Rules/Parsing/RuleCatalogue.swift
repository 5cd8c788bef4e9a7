/// What a rule's check must know of the rest of its catalogue.
public struct RuleCatalogue: Sendable {
  /// Names of all notification types.
  public var types: Set<String>
  /// The names of types by their codes, for rules that say 2 for `LowBalanceWarning`.
  public var codes: [Int: String]
  /// By the names of types that carry only some of their data: the names of these. All others carry whatever they get.
  public var carried: [String: Set<String>]
  /// The settings that rules may compare with by their names, each with its title in words if it has one.
  public var settings: [String: String?]
  /// Names of the filters that the renderer knows; nil lets any pass.
  public var filters: Set<String>?
  /// Names of all events; nil lets any pass.
  public var events: Set<String>?
  /// What is wrong with the name of a member of a notification's data; nil if nothing is.
  public var dataNameProblem: @Sendable (String) -> String?

  public init(
    types: Set<String>,
    codes: [Int: String] = [:],
    carried: [String: Set<String>] = [:],
    settings: [String: String?] = [:],
    filters: Set<String>? = nil,
    events: Set<String>? = nil,
    dataNameProblem: @escaping @Sendable (String) -> String? = { _ in nil }
  ) {
    self.types = types
    self.codes = codes
    self.carried = carried
    self.settings = settings
    self.filters = filters
    self.events = events
    self.dataNameProblem = dataNameProblem
  }

  /// The type's name as the catalogue writes it, of a name without regard to case, or of a code.
  func type(_ name: String) -> String? {
    if let code = Int(name) { return codes[code] }
    return types.contains(name) ? name : types.first { $0.lowercased() == name.lowercased() }
  }
}
