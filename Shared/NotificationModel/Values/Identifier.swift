public import Foundation
import UserIdentity

/// A UUID that knows what it names, so that a user's id cannot be passed for a notification's.
///
/// Travels as lower-case text (docs/api.md). Ordered by its 16 bytes, as PostgreSQL orders `uuid`.
public struct Identifier<Subject>: Hashable, Sendable, Comparable, Codable, CustomStringConvertible,
  LosslessStringConvertible
{
  public let uuid: UUID

  public init(_ uuid: UUID) {
    self.uuid = uuid
  }

  /// Reads the hyphenated form in either case; nil for anything else.
  public init?(_ text: String) {
    guard let uuid = UUID(hyphenated: text) else { return nil }
    self.uuid = uuid
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let value = Self(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "expected a UUID")
    }
    self = value
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  public var description: String { uuid.lowercased }

  public static func < (left: Self, right: Self) -> Bool {
    withUnsafeBytes(of: left.uuid.uuid) { a in
      withUnsafeBytes(of: right.uuid.uuid) { b in a.lexicographicallyPrecedes(b) }
    }
  }
}

/// Tags of ``Identifier``.
public enum UserTag {}
public enum RequestTag {}
public enum NotificationTag {}
public enum DeviceTag {}

/// A person who receives notifications; chosen by the backend.
public typealias UserID = Identifier<UserTag>
/// One accepted send request: a UUIDv7, whose time is that of the acceptance.
public typealias RequestID = Identifier<RequestTag>
/// One notification of one recipient: see ``Identifier/init(request:recipient:)``.
public typealias NotificationID = Identifier<NotificationTag>
/// One registered device.
public typealias DeviceID = Identifier<DeviceTag>

extension UUID {
  /// The hyphenated form in lower case.
  public var lowercased: String { withCharacters { String(decoding: $0, as: UTF8.self) } }

  /// Gives `body` the characters of the hyphenated form in lower case.
  func withCharacters<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 36) { characters in
      withUnsafeBytes(of: uuid) { bytes in
        var position = 0
        for index in 0..<16 {
          if index == 4 || index == 6 || index == 8 || index == 10 {
            characters[position] = UInt8(ascii: "-")
            position += 1
          }
          characters[position] = Self.hexDigit(bytes[index] >> 4)
          characters[position + 1] = Self.hexDigit(bytes[index] & 15)
          position += 2
        }
      }
      return body(UnsafeBufferPointer(characters))
    }
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value &+ (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
  }
}
