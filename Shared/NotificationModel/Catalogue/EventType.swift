/// An event of the backend's own: Belfry passes it on to the open connections of some users, judges it by rules, or both.
public struct EventType: Sendable, Equatable {
  /// Target of the hub's message, e.g. `BalanceUpdated`: 1 to 64 ASCII letters, digits, `_` and `.`, a letter first.
  public let name: String
  /// The payload's members that `/hubs/notifications` gives as positional arguments, in their order; empty means the
  /// payload as one argument.
  public let arguments: [String]
  /// False: it is for rules alone.
  public let isRelayed: Bool

  /// What the hub says itself: no event may pass for it.
  static let reservedNames: Set = [
    "receivenotification", "unreadcountchanged", "notificationread", "notificationchanged", "notificationdeleted",
  ]
  static let maximumArguments = 16

  static let fields: Set = ["name", "arguments", "relay"]

  init?(_ reader: FieldReader) {
    reader.refuseUnknown(known: Self.fields)
    let arguments = reader.optional("arguments", [String].self, expected: "a list of the payload's members") ?? []
    isRelayed = reader.optional("relay", Bool.self, expected: "true or false") ?? true
    guard let name = reader.required("name", String.self, expected: "a string") else { return nil }
    self.name = name
    self.arguments = arguments
    if !Self.isName(name) {
      reader.problem("name", "expected 1 to 64 letters, digits, '_' and '.', a letter first")
    }
    if Self.reservedNames.contains(name.lowercased()) {
      reader.problem("name", "the hub's own messages cannot be relayed")
    }
    if arguments.count > Self.maximumArguments || Set(arguments).count < arguments.count
      || !arguments.allSatisfy({ (1...64).contains($0.utf8.count) })
    {
      reader.problem("arguments", "expected at most \(Self.maximumArguments) different ones of 1 to 64 bytes")
    }
    if !isRelayed, !arguments.isEmpty { reader.problem("arguments", "are for events that are relayed") }
  }

  private static func isName(_ name: String) -> Bool {
    name.wholeMatch(of: /[A-Za-z][A-Za-z0-9_.]{0,63}/) != nil
  }
}
