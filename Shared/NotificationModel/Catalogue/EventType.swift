/// An event of the backend's own: Belfry passes it on to the open connections of some users, judges it by rules, or both.
public struct EventType: Sendable, Equatable {
  /// Target of the hub's message, e.g. `BalanceUpdated`: 1 to 64 ASCII letters, digits, `_` and `.`, a letter first.
  public let name: String
  /// The payload's members that `/hubs/notifications` gives as positional arguments, in their order; empty means the
  /// payload as one argument.
  public let arguments: [String]
  /// The payload's members that are amounts: over MessagePack their numbers are in floating point, whole ones too.
  public let amounts: [String]
  /// False: it is for rules alone.
  public let isRelayed: Bool

  /// What the hub says itself: no event may pass for it.
  static let reservedNames: Set = [
    "receivenotification", "unreadcountchanged", "notificationread", "notificationchanged", "notificationdeleted",
  ]
  /// Of each list.
  static let maximumMembers = 16

  static let fields: Set = ["name", "arguments", "amounts", "relay"]

  init?(_ reader: FieldReader) {
    reader.refuseUnknown(known: Self.fields)
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

  private static func isName(_ name: String) -> Bool {
    name.wholeMatch(of: /[A-Za-z][A-Za-z0-9_.]{0,63}/) != nil
  }
}
