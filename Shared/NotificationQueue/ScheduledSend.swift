public import Foundation
public import BelfryJSON
public import NotificationModel
public import WallClock

/// A send that has come due, on its way to the router that expands its audience.
public struct ScheduledSend: Sendable {
  /// AMQP `type` of these.
  public static let messageType = "belfry.scheduled"

  /// Stays what it was when the send was accepted; of a schedule, it stands for the date.
  public var requestId: RequestID
  /// When it came due: its notifications are of this time.
  public var at: Date
  /// Of a schedule's occurrence at a wall-clock time: its date, of which each person is notified once.
  public var date: LocalDate?
  /// Of a schedule's occurrence: what its texts may use beside the data. Empty for a send, whose texts are verbatim.
  public var facts: [String: String]
  /// For people in these zones, as profiles name them, the empty text for people without one; nil means all.
  public var zones: [String]?
  /// Whose send or schedule it is.
  public var owner: RequestOwner
  /// The send as its sender wrote it.
  public var request: JSONValue
  /// By which version of the catalogue it was accepted or planned; nil if nobody knows. It travels in the message's header.
  public var catalogueVersion: Int?

  public init(
    requestId: RequestID,
    at: Date,
    date: LocalDate? = nil,
    facts: [String: String] = [:],
    zones: [String]? = nil,
    owner: RequestOwner = .unknown,
    request: JSONValue,
    catalogueVersion: Int? = nil
  ) {
    self.requestId = requestId
    self.at = at
    self.date = date
    self.facts = facts
    self.zones = zones
    self.owner = owner
    self.request = request
    self.catalogueVersion = catalogueVersion
  }
}

extension ScheduledSend: QueueMessage {
  public var v: Int { QueueCoder.version }

  public init(_ fields: JSONFields) throws(JSONFieldError) {
    requestId = try fields.identifier("requestId")
    at = try fields.value("at", expected: "an RFC 3339 time") { Date(rfc3339: $0) }
    date = try fields.optionalValue("date", expected: "a date") { LocalDate($0) }
    facts = try fields.texts("facts")
    zones = try fields.elements("zones") { (zone) throws(JSONFieldError) in
      guard let zone = zone.string else { throw JSONFieldError("expected a zone") }
      return zone
    }
    owner = RequestOwner(try fields.optionalString("owner"))
    request = try fields.json("request")
    catalogueVersion = nil
  }

  public func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("v", v)
      writer.field("requestId", requestId.description)
      writer.field("at", at.rfc3339)
      writer.optionalField("date", date?.description)
      writer.object("facts") { writer in
        for name in facts.keys.sorted() { writer.dynamicField(name, facts[name] ?? "") }
      }
      if let zones {
        writer.array("zones") { writer in
          for zone in zones { writer.string(zone) }
        }
      }
      writer.optionalField("owner", owner.text)
      writer.key("request")
      writer.value(request)
    }
  }
}
