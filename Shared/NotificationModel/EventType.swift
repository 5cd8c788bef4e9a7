/// An event of the backend's own that Belfry passes on to the open connections of some users, and does not store.
public struct EventType: Sendable, Equatable {
  /// Target of the hub's message, e.g. `BalanceUpdated`: 1 to 64 ASCII letters, digits, `_` and `.`, a letter first.
  public let name: String
  /// The payload's members that `/hubs/notifications` gives as positional arguments, in their order; empty means the
  /// payload as one argument.
  public let arguments: [String]

  /// What the hub says itself: no event may pass for it.
  static let reservedNames: Set = ["receivenotification", "unreadcountchanged", "notificationread"]
  static let maximumArguments = 16

  /// - Throws: ``CatalogueError`` telling what is wrong with it.
  init(name: String, arguments: [String]) throws(CatalogueError) {
    guard (1...64).contains(name.utf8.count), let first = name.utf8.first, Self.isLetter(first),
      name.utf8.allSatisfy({ Self.isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x5F || $0 == 0x2E })
    else {
      throw CatalogueError("event '\(name.prefix(64))': expected 1 to 64 letters, digits, '_' and '.', a letter first")
    }
    guard !Self.reservedNames.contains(name.lowercased()) else {
      throw CatalogueError("event \(name): the hub's own messages cannot be relayed")
    }
    guard arguments.count <= Self.maximumArguments, Set(arguments).count == arguments.count,
      arguments.allSatisfy({ (1...64).contains($0.utf8.count) })
    else {
      throw CatalogueError(
        "event \(name): expected at most \(Self.maximumArguments) different arguments of 1 to 64 bytes"
      )
    }
    self.name = name
    self.arguments = arguments
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }
}
