public import JSON

/// "This happened, show it to these people if they are there": what `POST /api/v1/events` and `belfry.ingest` take.
///
/// Unknown fields are refused by name, as in a ``SendRequest``.
public struct EventReport: Sendable, FieldReadable {
  public static let maximumPayload = 16 * 1_024
  public static let maximumDepth = 16

  /// Matched without regard to case.
  public var name: String
  public var audience: Audience
  /// An object, relayed as it came.
  public var payload: JSONValue
  /// Bytes of the payload without white space; at most ``maximumPayload``.
  public let payloadSize: Int

  public init?(_ reader: FieldReader) {
    reader.refuseUnknown(known: ["name", "audience", "payload"])
    let name = reader.requiredText("name", limit: 64)
    let audience = Audience.read("audience", of: reader, allowsEveryone: false)
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
    guard let name, let audience, let payload else { return nil }
    self.name = name
    self.audience = audience
    self.payload = payload
  }

  /// The catalogue's event of this name.
  ///
  /// - Throws: ``ValidationError`` naming `name`, also where nothing would follow from the event, or the
  ///   `payload.<member>`s that the event's arguments lack.
  public func resolve(in catalogue: Catalogue) throws(ValidationError) -> EventType {
    guard let event = catalogue.event(name) else {
      throw ValidationError([FieldError("name", "'\(name)' is not an event of the catalogue")])
    }
    guard event.isRelayed else {
      let problem = "'\(event.name)' is not relayed, and nothing else follows from it yet"
      throw ValidationError([FieldError("name", problem)])
    }
    let missing = event.arguments.filter { payload[$0] == nil }
    guard missing.isEmpty else {
      throw ValidationError(missing.map { FieldError("payload.\($0)", "is required as an argument of \(event.name)") })
    }
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
