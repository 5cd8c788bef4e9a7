import Foundation
import HTTPTypes
import Hummingbird
import BelfryJSON

/// The part of the control API that is about APNs: what arrived, and what it knows of devices.
struct APNsControl: Sendable {
  let log: APNsLog
  let devices: APNsDevices

  func addRoutes(to router: Router<BasicRequestContext>) {
    router.get("api/apns") { request, _ in
      let query = try ListQuery(request, filters: ["token", "notificationId", "environment"])
      let (token, notification) = (query.filters["token"]?.lowercased(), query.filters["notificationId"])
      let environment = try query.filters["environment"].map { try Self.environment($0, at: "environment") }
      let found = log.records(after: query.after, limit: query.limit) { record in
        (token == nil || record.push.token.lowercased() == token)
          && (notification == nil || record.push.notificationID == notification)
          && (environment == nil || record.environment == environment)
      }
      return ControlAPI.list("pushes", found) { Self.write($0, to: &$1) }
    }
    router.get("api/apns/summary") { _, _ in
      ControlAPI.response { Self.write(log.summary(), to: &$0) }
    }
    router.delete("api/apns") { _, _ in
      removeAll()
      return Response(status: .noContent)
    }
    router.post("api/apns/devices") { request, _ in
      let (token, device) = try Self.device(try await ControlBody.collect(request))
      guard devices.put(device, token: token) else {
        throw ControlError(
          status: .conflict,
          field: nil,
          message: "there are \(APNsDevices.maximumCount) devices already"
        )
      }
      return Response(status: .noContent)
    }
  }

  func removeAll() {
    log.removeAll()
    devices.removeAll()
  }

  // MARK: Reading

  private static func environment(_ name: String, at field: String) throws(ControlError) -> APNsEnvironment {
    guard let environment = APNsEnvironment(rawValue: name) else {
      throw .invalid(field, "expected one of \(APNsEnvironment.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return environment
  }

  /// `{"token", "environment"?, "topic"?, "unregisteredAt"?}`
  static func device(_ body: [UInt8]) throws(ControlError) -> (token: String, APNsDevices.Device) {
    let json: JSONValue
    do { json = try JSONParser.parse(body) } catch { throw .invalid("body", error.description) }
    guard let members = json.members else { throw .invalid("body", "expected an object") }
    let known = ["token", "environment", "topic", "unregisteredAt"]
    for member in members where !known.contains(member.name) {
      throw .invalid(member.name, "unknown; known are \(known.joined(separator: ", "))")
    }
    for name in known where json[name] != nil && json[name]?.string == nil { throw .invalid(name, "expected a text") }
    guard let token = json["token"]?.string, !token.isEmpty, token.utf8.count <= 400 else {
      throw .invalid("token", "expected 1 to 400 characters")
    }
    var device = APNsDevices.Device()
    if let name = json["environment"]?.string { device.environment = try environment(name, at: "environment") }
    device.topic = json["topic"]?.string
    if let topic = device.topic, topic.utf8.count > 255 { throw .invalid("topic", "expected at most 255 bytes") }
    if let text = json["unregisteredAt"]?.string {
      do { device.unregistered = try Date(text, strategy: .iso8601) } catch {
        throw .invalid("unregisteredAt", "expected a time such as 2026-01-31T08:00:00Z")
      }
    }
    return (token, device)
  }

  // MARK: Writing

  private static func write(_ record: APNsLog.Record, to writer: inout JSONWriter) {
    let push = record.push
    writer.object { writer in
      writer.field("sequence", record.sequence)
      writer.field("receivedAt", Date(timeIntervalSince1970: Double(record.receivedAt) / 1_000).rfc3339)
      writer.field("environment", record.environment.rawValue)
      writer.field("token", push.token)
      writer.field("apnsId", record.id)
      writer.field("topic", push.topic)
      writer.field("pushType", push.pushType)
      writer.field("priority", push.priority)
      if let expiration = push.expiration { writer.field("expiration", expiration) }
      writer.nullableField("apnsCollapseId", push.collapseID)
      writer.nullableField("notificationId", push.notificationID)
      writer.array("headers") { writer in
        for header in push.headers {
          writer.object { writer in
            writer.field("name", header.name)
            writer.field("value", header.value)
          }
        }
      }
      writer.key("payload")
      writer.raw(push.json)
    }
  }

  private static func write(_ summary: APNsLog.Summary, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("accepted", summary.accepted)
      writer.object("environments") { writer in
        for environment in APNsEnvironment.allCases {
          writer.dynamicField(environment.rawValue, summary.environments[environment, default: 0])
        }
      }
      writer.field("kept", summary.kept)
      writer.field("dropped", summary.dropped)
      writer.field("distinctNotifications", summary.distinct)
      writer.field("duplicates", summary.duplicates)
      writer.field("duplicatesWithDifferentCollapseID", summary.differing)
      writer.field("providerTokens", summary.providerTokens)
      writer.field("connections", summary.connections)
      writer.object("attempts") { writer in
        for (name, count) in summary.attempts.sorted(by: { $0.key < $1.key }) { writer.dynamicField(name, count) }
      }
    }
  }
}
