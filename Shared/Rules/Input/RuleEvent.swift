public import Foundation
public import BelfryJSON

/// What a backend says has happened, as the rules see it.
public struct RuleEvent: Sendable, Equatable {
  /// Idempotency-Key, AMQP message-id, or given at intake: reported again, the event has the same.
  public let id: String
  /// Matched without regard to case.
  public let name: String
  /// An object.
  public let payload: JSONValue
  /// When Belfry first accepted the event; reported again, it has the same.
  public let intake: Date
  /// At most ``intake``.
  public let occurredAt: Date

  public static let maximumIDLength = 128

  /// Times are kept to the millisecond and within the years 1970 to 9999; an `occurredAt` after the intake is the intake.
  ///
  /// - Throws: ``RuleRefusal`` for an id that is empty, has control characters or more than 128 bytes, and for a payload
  ///   that is no object.
  public init(id: String, name: String, payload: JSONValue, intake: Date, occurredAt: Date) throws(RuleRefusal) {
    guard (1...Self.maximumIDLength).contains(id.utf8.count), !id.hasControlCharacters else {
      throw RuleRefusal("id", "expected 1 to \(Self.maximumIDLength) bytes without control characters")
    }
    guard payload.members != nil else { throw RuleRefusal("payload", "expected an object") }
    self.id = id
    self.name = name
    self.payload = payload
    self.intake = intake.bounded
    self.occurredAt = min(occurredAt.bounded, intake.bounded)
  }

  /// The same event with another payload, an object.
  init(_ event: RuleEvent, payload: JSONValue) {
    id = event.id
    name = event.name
    self.payload = payload
    intake = event.intake
    occurredAt = event.occurredAt
  }
}
