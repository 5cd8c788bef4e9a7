public import Foundation
public import BelfryJSON
import Rules
public import UserIdentity

/// "This happened": what `POST /api/v1/events` and `belfry.ingest` take. It is shown to its audience if they are there, evaluated by
/// the catalogue's rules, or both.
///
/// Unknown fields are refused by name, as in a ``SendRequest``.
public struct EventReport: Sendable, FieldReadable {
  public static let maximumPayload = 16 * 1_024
  public static let maximumDepth = 16

  /// Matched without regard to case.
  public var name: String
  /// Whose open connections get it. Nil where nothing is relayed: rules know whom to notify.
  public var audience: Audience?
  /// The audience's ids that others may stand for as well.
  public let contestedUsers: [UserIdentifier]
  /// When it happened, if that is not when it was accepted.
  public var occurredAt: Date?
  /// An object, relayed as it came.
  public var payload: JSONValue
  /// Bytes of the payload without white space; at most ``maximumPayload``.
  public let payloadSize: Int

  public init?(_ reader: FieldReader) {
    reader.refuseUnknown(known: ["name", "audience", "payload", "occurredAt"])
    let name = reader.requiredText("name", limit: 64)
    var contested: [UserIdentifier] = []
    audience =
      reader.isPresent("audience")
      ? Audience.read("audience", of: reader, allowsEveryone: false, contested: &contested) : nil
    contestedUsers = contested
    occurredAt = reader.time("occurredAt")
    let payload = reader.required("payload", JSONValue.self, expected: "an object")
    if let payload, payload.members == nil { reader.problem("payload", "expected an object") }
    if let payload, payload.depth > Self.maximumDepth {
      reader.problem("payload", "is nested more than \(Self.maximumDepth) deep")
    }
    var writer = JSONWriter()
    if let payload { writer.value(payload) }
    payloadSize = writer.bytes.count
    if payloadSize > Self.maximumPayload {
      reader.problem("payload", "has \(payloadSize) bytes; at most \(Self.maximumPayload) are allowed")
    }
    guard let name, let payload else { return nil }
    self.name = name
    self.payload = payload
  }

  /// The clocks of sender and receiver may differ by so many seconds.
  private static let clockSkew: TimeInterval = 60

  /// The catalogue's event of this name.
  ///
  /// - Throws: ``ValidationError`` naming `name`, also where nothing would follow from the event; `audience` where it is
  ///   relayed and no rule looks at it either; `occurredAt` if it is yet to come; or the `payload.<member>`s that the event's
  ///   arguments lack.
  public func resolve(in catalogue: Catalogue, now: Date) throws(ValidationError) -> EventType {
    guard let event = catalogue.event(name) else {
      throw ValidationError([FieldError("name", catalogue.unknown(event: name))])
    }
    let isEvaluated = !catalogue.rules.rules(on: event.name).isEmpty
    guard event.isRelayed || isEvaluated else {
      throw ValidationError([FieldError("name", "'\(event.name)' is not relayed, and no rule looks at it")])
    }
    var problems = event.arguments.filter { payload[$0] == nil }
      .map { FieldError("payload.\($0)", "is required as an argument of \(event.name)") }
    if audience == nil, !isEvaluated { problems.append(FieldError("audience", "is required")) }
    if let occurredAt, occurredAt > now + Self.clockSkew {
      problems.append(FieldError("occurredAt", "is yet to come: expected the time at which it happened"))
    }
    guard problems.isEmpty else { throw ValidationError(problems) }
    return event
  }
}

extension JSONValue {
  /// 0 for what is no container.
  fileprivate var depth: Int {
    switch self {
    case .null, .boolean, .number, .string: 0
    case .array(let elements): 1 + (elements.map(\.depth).max() ?? 0)
    case .object(let members): 1 + (members.map(\.value.depth).max() ?? 0)
    }
  }
}
