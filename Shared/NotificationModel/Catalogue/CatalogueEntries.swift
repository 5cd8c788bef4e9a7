import BelfryJSON
public import Recurrence
public import WallClock

/// A heading under which preferences show types, and what its types do unless they say otherwise.
public struct NotificationCategory: Sendable, Equatable {
  public let name: String
  /// Channels used when the recipient has not chosen; nil means the catalogue's defaults for types.
  public let channels: PerChannel<Bool>?
  public let mail: MailHandling
}

extension NotificationCategory {
  static let fields: Set = ["name", "channels", "mail", "replaces"]

  init?(_ reader: FieldReader) {
    reader.refuseUnknown(known: Self.fields)
    reader.checkReplaces()
    let channels = reader.channels("channels")
    let mail = reader.object("mail") { MailHandling($0) }
    guard let name = reader.name("name") else { return nil }
    self.init(name: name, channels: channels, mail: mail ?? .standard)
  }
}

extension MailHandling {
  static let fields: Set = ["stream", "unsubscribe"]

  init(_ reader: FieldReader) {
    reader.refuseUnknown(known: Self.fields)
    self.init(
      stream: reader.choice("stream", MailStream.self) ?? Self.standard.stream,
      mayUnsubscribe: reader.optional("unsubscribe", Bool.self, expected: "true or false")
        ?? Self.standard.mayUnsubscribe
    )
  }
}

/// An event of the backend's own: Belfry passes it on to the open connections of some users, evaluates it by rules, or both.
public struct EventType: Sendable, Equatable {
  /// Target of the hub's message, e.g. `BalanceUpdated`: 1 to 64 ASCII letters, digits, `_` and `.`, a letter first.
  public let name: String
  /// The payload's members that `/hubs/notifications` gives as positional arguments, in their order; empty means the
  /// payload as one argument.
  public let arguments: [String]
  /// The payload's members that are amounts: over MessagePack their numbers are in floating point, whole ones too.
  public let amounts: [String]
  /// The members that a payload may have; nil where the catalogue does not say.
  public let payload: [String]?
  /// False: it is for rules alone.
  public let isRelayed: Bool

  /// What the hub says itself: no event may pass for it.
  static let reservedNames: Set = [
    "receivenotification", "unreadcountchanged", "notificationread", "notificationchanged", "notificationdeleted",
  ]
  /// Of each list.
  static let maximumMembers = 16
  static let maximumPayload = 64

  static let fields: Set = ["name", "payload", "arguments", "amounts", "relay", "replaces"]

  init?(_ reader: FieldReader) {
    reader.refuseUnknown(known: Self.fields)
    reader.checkReplaces()
    payload = Self.payload(reader)
    isRelayed = reader.optional("relay", Bool.self, expected: "true or false") ?? true
    arguments = Self.members("arguments", reader, isRelayed: isRelayed)
    amounts = Self.members("amounts", reader, isRelayed: isRelayed)
    guard let name = reader.required("name", String.self, expected: "a string") else { return nil }
    self.name = name
    if !Self.isName(name) {
      reader.problem("name", "expected 1 to 64 letters, digits, '_' and '.', a letter first")
    }
    if Self.reservedNames.contains(name.lowercased()) {
      reader.problem("name", "the hub's own messages cannot be relayed")
    }
  }

  private static func members(_ field: String, _ reader: FieldReader, isRelayed: Bool) -> [String] {
    let names = reader.optional(field, [String].self, expected: "a list of the payload's members") ?? []
    if names.count > maximumMembers || Set(names).count < names.count
      || !names.allSatisfy({ (1...64).contains($0.utf8.count) })
    {
      reader.problem(field, "expected at most \(maximumMembers) different ones of 1 to 64 bytes")
    }
    if !isRelayed, !names.isEmpty { reader.problem(field, "are for events that are relayed") }
    return names
  }

  private static func payload(_ reader: FieldReader) -> [String]? {
    let names = reader.optional("payload", [String].self, expected: "a list of the payload's members")
    guard let names else { return nil }
    if names.count > maximumPayload || Set(names).count < names.count
      || !names.allSatisfy({ (1...64).contains($0.utf8.count) })
    {
      reader.problem("payload", "expected at most \(maximumPayload) different ones of 1 to 64 bytes")
    }
    return names
  }

  private static func isName(_ name: String) -> Bool {
    name.wholeMatch(of: /[A-Za-z][A-Za-z0-9_.]{0,63}/) != nil
  }
}

/// A recurring notification that a backend starts by name for a user or a group.
public struct ScheduleTemplate: Sendable, Equatable {
  public let name: String
  public let type: Catalogue.Reference
  public let recurrence: RecurrenceRule
  /// In each recipient's zone.
  public let time: LocalTime

  static let fields: Set = ["name", "type", "recurrence", "time", "replaces"]

  init?(_ reader: FieldReader, name: String) {
    reader.refuseUnknown(known: Self.fields)
    reader.checkReplaces()
    let type = reader.required("type", Scalar.self, expected: "a type's code or name")
    let recurrence = reader.recurrence(limit: 200)
    let time = reader.wallClockTime()
    guard let type, let recurrence, let time else { return nil }
    self.name = name
    self.type = type.integer.map(Catalogue.Reference.code) ?? .name(type.description)
    self.recurrence = recurrence
    self.time = time
  }
}

/// A rule as a file has it. Whether it makes sense is known where the files are together: see ``Catalogue/rules``.
struct RuleDefinition: Sendable, Equatable {
  let name: String
  /// The whole entry, `name` included.
  let json: JSONValue
}

extension RuleDefinition {
  init?(_ reader: FieldReader, name: String) {
    self.init(name: name, json: reader.json)
  }
}

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
