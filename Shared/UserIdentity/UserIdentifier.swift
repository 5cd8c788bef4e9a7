import Cryptography
public import Foundation

/// What a person is called by those who use Belfry, and the UUID that stands for it inside (decision 0088).
public struct UserIdentifier: Sendable, Hashable, CustomStringConvertible {
  /// Of the UUIDs that stand for texts. It never changes.
  public static let namespace = UUID(
    uuid: (0x8F, 0x1C, 0x2F, 0x0A, 0x6D, 0x0E, 0x4F, 0x6B, 0x9A, 0x53, 0x5B, 0x1D, 0x7C, 0x3E, 0x2A, 0x10)
  )
  /// Of a text, in characters; each has four bytes at most, all together.
  public static let maximumLength = 128
  public static let maximumBytes = 4 * maximumLength

  public let uuid: UUID
  /// As it was given, byte for byte; nil for a UUID.
  public let text: String?

  /// Reads a UUID in either case, or any other text; nil for one that is empty, too long or has control characters, and for `.` and
  /// `..`: URL libraries take these out of a path however they are escaped (WHATWG URL, "double-dot URL path segment"), and ask for
  /// what stands above.
  public init?(_ text: String) {
    if let uuid = UUID(hyphenated: text) {
      self.init(uuid)
    } else {
      guard Self.isUsable(text) else { return nil }
      self.init(uuid: UUID(version5: text, in: Self.namespace), text: text)
    }
  }

  public init(_ uuid: UUID) {
    self.init(uuid: uuid, text: nil)
  }

  private init(uuid: UUID, text: String?) {
    (self.uuid, self.text) = (uuid, text)
  }

  /// What ``init(_:)`` reads, in words for whoever wrote something else.
  public static let expectation = "a user id: 1 to \(maximumLength) characters without control characters, not . or .."

  /// Whether another identifier may come to the same UUID: of texts, and of UUIDs of version 5.
  public var isContestable: Bool { text != nil || uuid.isVersion5 }

  /// As it was given; a UUID in lower case.
  public var description: String { text ?? uuid.uuidString.lowercased() }

  /// Whether a text is this identifier's, byte for byte: Swift takes two spellings of one letter for the same.
  public func isSpelled(_ other: String) -> Bool { description.utf8.elementsEqual(other.utf8) }

  public static func == (left: UserIdentifier, right: UserIdentifier) -> Bool {
    guard left.uuid == right.uuid else { return false }
    switch (left.text, right.text) {
    case (nil, nil): return true
    case (let left?, let right?): return left.utf8.elementsEqual(right.utf8)
    default: return false
    }
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(uuid)
    hasher.combine(text == nil)
  }

  private static func isUsable(_ text: String) -> Bool {
    let bytes = text.utf8.count
    guard !text.isDotSegment else { return false }
    guard bytes > 0, bytes <= maximumBytes, bytes <= maximumLength || text.count <= maximumLength else { return false }
    return !text.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }
  }
}

extension String {
  /// Whether URL libraries take it out of a path, and with `..` what stands above, however it is escaped.
  public var isDotSegment: Bool { self == "." || self == ".." }
}

extension UUID {
  /// Whether it may stand for a text.
  public var isVersion5: Bool { uuid.6 >> 4 == 5 }
}
