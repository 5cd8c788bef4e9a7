import Embedded
import Foundation
public import Rules

/// Every notification type Belfry knows, every event it relays or evaluates, and what follows from them: data, not code.
///
/// The built-in catalogue (catalogue.yaml beside this folder) holds those of the specifications; an operator's file of the
/// same form adds entries, or replaces types of the same code and everything else of the same name. One that says
/// `builtIn: false` begins with nothing.
public struct Catalogue: Sendable {
  /// The channels that there are, by ascending code: its files name no others, nor do requests that it serves.
  public let channels: [any RoutingChannel]
  /// Whether the built-in entries are in force, as far as nothing replaces them; false where the operator's file wants none.
  public let hasBuiltIn: Bool
  /// All types by ascending code.
  public let types: [NotificationType]
  /// What types of the operator's file have taken the place of, in the file's order.
  public let replaced: [Replacement]
  /// The categories that say something of themselves, in the files' order. A type's category need not be among them.
  public let categories: [NotificationCategory]
  /// All events by name.
  public let events: [EventType]
  /// The rules in force by name.
  public let rules: RuleSet
  /// What `PUT /schedules/{key}` may name as its template, by name.
  public let schedules: [ScheduleTemplate]
  /// What people may set for themselves beside their choices, by name.
  public let settings: [DeclaredSetting]
  /// What several notifications of any types say when they are delivered as one: over `count`, `titles` (the first of them) and
  /// `others` (how many more there are, absent if none).
  public let composition: LocalizedTemplate
  /// What is around the content of every mail.
  public let mailLayout: MailLayout
  /// For readers without a locale, and amounts without a currency.
  public let defaults: TextDefaults
  private let byCode: [Int: NotificationType]
  private let byName: [String: NotificationType]
  private let eventsByName: [String: EventType]
  private let schedulesByName: [String: ScheduleTemplate]

  /// A type in the place of another with its code.
  public struct Replacement: Sendable, Equatable {
    public let code: Int
    public let name: String
    /// The name of the type that is gone.
    public let former: String
  }

  /// How a request names a type.
  public enum Reference: Sendable, Equatable, CustomStringConvertible {
    case code(Int)
    /// Matched without regard to case.
    case name(String)

    public var description: String {
      switch self {
      case .code: text
      case .name: "'\(text.excerpt)'"
      }
    }

    var text: String {
      switch self {
      case .code(let code): String(code)
      case .name(let name): name
      }
    }
  }

  /// The built-in catalogue, overridden by `overrides` (YAML) where given.
  ///
  /// - Parameter channels: Those that there are. What types leave out is off.
  /// - Throws: ``CatalogueError`` naming the entries and what is wrong with them.
  public init(
    overrides: String? = nil,
    channels: [any RoutingChannel] = Channel.routing
  ) throws(CatalogueError) {
    var files = [try Self.builtInForm(channels)]
    if let overrides {
      files.append(try CatalogueForm.read(yaml: overrides, source: "catalogue file", channels: channels))
    }
    try self.init(files, channels)
  }

  /// Read once: it is the same for all who have this version's channels.
  private static let builtIn: Result<CatalogueForm, CatalogueError> = Result { () throws(CatalogueError) in
    try builtIn(for: Channel.routing)
  }

  /// The built-in file for these channels.
  static func builtInForm(_ channels: [any RoutingChannel]) throws(CatalogueError) -> CatalogueForm {
    try channels.map(\.channel) == Channel.allCases ? builtIn.get() : builtIn(for: channels)
  }

  private static func builtIn(for channels: [any RoutingChannel]) throws(CatalogueError) -> CatalogueForm {
    let yaml = EmbeddedFile.at("Shared/NotificationModel/catalogue.yaml").text
    return try CatalogueForm.read(yaml: yaml, source: "built-in", channels: channels)
  }

  init(_ files: [CatalogueForm], _ channels: [any RoutingChannel]) throws(CatalogueError) {
    let files = CatalogueForm.inForce(files)
    self.channels = channels
    hasBuiltIn = files.allSatisfy(\.builtIn)
    let merged = CatalogueMerge(files)
    defaults = merged.defaults
    categories = merged.categories
    types = merged.types
    replaced = merged.replaced
    events = merged.events
    settings = merged.settings
    let source = CatalogueSource(files)
    let (rules, ruleProblems) = Self.read(merged.rules, in: RuleCatalogue(types, events, settings, defaults), source)
    self.rules = rules
    schedules = merged.schedules
    guard let composition = merged.composition else { throw CatalogueError("composition is missing") }
    self.composition = composition
    mailLayout = merged.mailLayout
    hasLocalizedActions = types.contains { $0.actions.contains { $0.title.locales.count > 1 } }
    byCode = Dictionary(types.map { ($0.code, $0) }) { $1 }
    byName = Dictionary(types.map { ($0.name.lowercased(), $0) }) { $1 }
    eventsByName = Dictionary(events.map { ($0.name.lowercased(), $0) }) { $1 }
    schedulesByName = Dictionary(schedules.map { ($0.name.lowercased(), $0) }) { $1 }
    let problems = merged.problems(source) + problems(of: files) + ruleProblems
    guard problems.isEmpty else { throw CatalogueError(problems: problems) }
  }

  /// Answers the type, or nil if the catalogue has none such.
  public func type(_ reference: Reference) -> NotificationType? {
    switch reference {
    case .code(let code): byCode[code]
    case .name(let name): byName[name.lowercased()]
    }
  }

  /// Whether a button of any type has titles in several languages.
  public let hasLocalizedActions: Bool

  /// Answers the event of that name, without regard to case, or nil if the catalogue has none such.
  public func event(_ name: String) -> EventType? { eventsByName[name.lowercased()] }

  /// Answers the setting of that very name, or nil if the catalogue declares none such.
  public func setting(_ name: String) -> DeclaredSetting? { settings.first { $0.name == name } }

  /// Answers the schedule template of that name, without regard to case, or nil if the catalogue has none such.
  public func schedule(_ name: String) -> ScheduleTemplate? { schedulesByName[name.lowercased()] }

  /// The schema (JSON Schema, draft 2020-12) of a catalogue file.
  public static var schema: [UInt8] { EmbeddedFile.at("Shared/NotificationModel/catalogue.schema.json").bytes }
}

extension Catalogue {
  /// The built-in catalogue, overridden by the YAML file at `path`; an empty path means the built-in one alone.
  ///
  /// - Parameter channels: Those that there are.
  /// - Throws: ``CatalogueError`` naming the file.
  public init(file path: String, channels: [any RoutingChannel] = Channel.routing) throws(CatalogueError) {
    guard !path.isEmpty else {
      try self.init(channels: channels)
      return
    }
    try self.init(text: try Self.text(ofFile: path), ofFile: path, channels: channels)
  }

  /// The built-in catalogue, overridden by the text of a file that was read before.
  ///
  /// - Throws: ``CatalogueError`` naming the file.
  public init(
    text: String,
    ofFile path: String,
    channels: [any RoutingChannel] = Channel.routing
  ) throws(CatalogueError) {
    do {
      try self.init(overrides: text, channels: channels)
    } catch {
      throw error.within(path)
    }
  }

  /// What a catalogue file says now.
  public static func text(ofFile path: String) throws(CatalogueError) -> String {
    guard let bytes = FileManager.default.contents(atPath: path) else {
      throw CatalogueError("cannot read the catalogue file \(path)")
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension Catalogue {
  /// The type, if its texts can be filled in from the data.
  ///
  /// - Parameters: `hasTitle` and `hasBody` say which part the request brings itself.
  /// - Throws: ``ValidationError`` naming `type` or the missing `data.<variable>`s.
  func resolve(
    _ reference: Reference,
    data: [String: String],
    hasTitle: Bool = false,
    hasBody: Bool = false
  ) throws(ValidationError) -> NotificationType {
    guard let found = type(reference) else {
      throw ValidationError([FieldError("type", unknown(type: reference))])
    }
    let missing = found.template.missing(in: data, hasTitle: hasTitle, hasBody: hasBody)
    guard missing.isEmpty else {
      throw ValidationError(missing.map { FieldError("data.\($0)", "is required by the template of \(found.name)") })
    }
    return found
  }
}
