public import Foundation
public import JSON

/// An event that rules are to be asked about: as a backend would report it. Its audience is for relaying, and not looked at.
public struct EventDryRun: Sendable, FieldReadable {
  /// By which rules know an event that is told again; nil for one they have not seen.
  public let id: String?
  /// Matched without regard to case.
  public let name: String
  /// An object.
  public let payload: JSONValue
  public let occurredAt: Date?

  public init?(_ reader: FieldReader) {
    reader.refuseUnknown(known: ["id", "name", "audience", "payload", "occurredAt"])
    id = reader.text("id", limit: 128)
    if let id, id.isEmpty || id.utf8.count > 128 { reader.problem("id", "expected 1 to 128 bytes") }
    occurredAt = reader.time("occurredAt")
    let name = reader.requiredText("name", limit: 64)
    let payload = reader.required("payload", JSONValue.self, expected: "an object")
    if let payload, payload.members == nil { reader.problem("payload", "expected an object") }
    guard let name, let payload else { return nil }
    self.name = name
    self.payload = payload
  }
}
