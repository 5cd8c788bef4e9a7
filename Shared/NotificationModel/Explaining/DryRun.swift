public import Foundation
public import BelfryJSON
public import UserIdentity
import WallClock

/// A question: what would become of a send to one person, or of an event by the catalogue's rules.
public enum DryRun: Sendable, FieldReadable {
  /// `{"userId", "type", "data"?, "at"?, …}`: what a send has, with a user in place of its audience.
  case send(SendRequest, to: UserIdentifier, at: Date?)
  /// `{"event": {"name", "payload", …}, "at"?}`
  case event(EventDryRun, at: Date?)

  public init?(_ reader: FieldReader) {
    let at = reader.time("at")
    guard reader.isPresent("event") else {
      guard let (send, user) = Self.send(reader) else { return nil }
      self = .send(send, to: user, at: at)
      return
    }
    reader.refuseUnknown(known: ["event", "at"])
    guard let event = reader.object("event", EventDryRun.init) else { return nil }
    self = .event(event, at: at)
  }

  /// A send's own reader checks all but the user: a dry run takes what a send takes, and refuses what it refuses.
  private static func send(_ reader: FieldReader) -> (SendRequest, UserIdentifier)? {
    let user = reader.requiredUser("userId")
    if reader.isPresent("to") { reader.problem("to", "is not a known field: 'userId' says to whom") }
    let own: Set = ["userId", "at", "to"]
    var members = (reader.json.members ?? []).filter { !own.contains($0.name) }
    // Of a user that cannot be read any will do: the rest is checked all the same.
    let users = JSONValue.array([.string((user ?? UserIdentifier(UUID())).description)])
    members.append(JSONMember("to", .object([JSONMember("users", users)])))
    do throws(ValidationError) {
      let send = try FieldReader.read(SendRequest.self, from: .object(members), routing: reader.routing)
      return user.map { (send, $0) }
    } catch {
      for problem in error.errors { reader.problem(problem.field, problem.message) }
      return nil
    }
  }
}

/// An event that rules are to be asked about: as a backend would report it. Its audience is for relaying, and not looked at.
public struct EventDryRun: Sendable, FieldReadable {
  /// By which rules know an event that is reported again; nil for one they have not seen.
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
