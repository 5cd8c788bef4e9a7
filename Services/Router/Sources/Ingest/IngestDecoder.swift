import Broker
import Foundation
import BelfryJSON
import NotificationModel
import NotificationQueue
import Rules
import UserIdentity

/// Finds out what an ingest message asks for. Pure.
struct IngestDecoder {
  /// Bodies above this are refused, whoever sends them.
  static let maximumBody = 256 * 1_024

  let catalogue: Catalogue

  func decode(_ message: BrokerMessage, routingKey: String, now: Date) -> IngestItem {
    do {
      if let type = message.type, Self.isOurs(message), !Self.types.contains(type) {
        return .unknown(reason: "invalid: this router knows no messages of type '\(type)'")
      }
      if routingKey == Topology.eventKey {
        if let reason = oversize(message) { return .invalid(reason: reason) }
        return try event(message, now: now)
      }
      if message.type == NoticeRequest.messageType { return try notice(QueueCoder.decode(from: message)) }
      if message.type == RoutingOrder.messageType || message.type == RoutingOrder.chunkType {
        let order: RoutingOrder = try QueueCoder.decode(from: message)
        guard let type = catalogue.type(.code(order.content.type)) else {
          return .unknown(reason: "type \(order.content.type) is not in this router's catalogue")
        }
        return .order(order, type)
      }
      if message.type == ScheduledSend.messageType {
        let send: ScheduledSend = try QueueCoder.decode(from: message)
        let request = try FieldReader.read(SendRequest.self, from: send.request, routing: catalogue.channels)
        return .scheduled(send, request, try request.resolve(in: catalogue, knowing: send.facts))
      }
      if let reason = oversize(message) { return .invalid(reason: reason) }
      let request = try FieldReader.read(SendRequest.self, from: message.body, routing: catalogue.channels)
      let type: NotificationType
      do throws(ValidationError) {
        // What a service has accepted goes on, however much another version allowed.
        type = try Self.isAccepted(message) ? request.resolve(in: catalogue) : request.accept(in: catalogue)
      } catch {
        return refusal(of: message, because: error)
      }
      return .submission(.request(request, type), Self.identity(of: message, .request, now: now))
    } catch let error as QueueMessageError where error.isNewer {
      return .unknown(reason: "invalid: \(error)")
    } catch let error as ValidationError {
      // A later release may accept what this one does not.
      return Self.isAccepted(message) ? .unknown(reason: "invalid: \(error)") : .invalid(reason: "invalid: \(error)")
    } catch {
      return .invalid(reason: "invalid: \(error)")
    }
  }

  private func event(_ message: BrokerMessage, now: Date) throws(ValidationError) -> IngestItem {
    let report = try FieldReader.read(EventReport.self, from: message.body)
    let type: EventType
    do throws(ValidationError) {
      type = try report.resolve(in: catalogue, now: now)
    } catch {
      return refusal(of: message, because: error)
    }
    guard !catalogue.rules.rules(on: type.name).isEmpty else {
      guard let event = RelayedEvent(report, type: type) else {
        let reason = "invalid: nothing follows from it"
        // A gateway's catalogue may have rules that this one has not.
        return Self.isAccepted(message) ? .unknown(reason: reason) : .refused(reason: reason)
      }
      return .relay(event)
    }
    return .submission(.event(UnidentifiedEvent(report, type: type)), Self.identity(of: message, .event, now: now))
  }

  /// A rule's notice with its type, or why it cannot be routed here.
  func notice(_ notice: NoticeRequest) -> IngestItem {
    // Rules are evaluated by another router's catalogue, perhaps.
    guard let type = catalogue.type(.name(notice.type)) else {
      return .unknown(reason: "type '\(notice.type)' is not in this router's catalogue")
    }
    let missing = type.template.missing(in: notice.data.mapValues(\.unformatted))
    guard missing.isEmpty else {
      return .unknown(reason: "invalid: the template of \(type.name) needs \(missing.joined(separator: ", "))")
    }
    let carried = type.carried(of: notice.data.mapValues(\.unformatted))
    let size = carried.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    // The rule has seen to it, by another catalogue perhaps.
    guard size <= RuleNotice.maximumData else {
      return .unknown(reason: "invalid: its data has \(size) bytes; at most \(RuleNotice.maximumData) are allowed")
    }
    return .notice(notice, type)
  }

  /// Whom what senders ask for names by ids that others may stand for as well. What services made of it has UUIDs alone.
  func contestedUsers(of item: IngestItem) -> [UserIdentifier] {
    switch item {
    case .submission(.request(let request, _), _): request.contestedUsers
    case .submission(.event(let event), _):
      event.contestedUsers
        + catalogue.rules.rules(on: event.type.name).flatMap { $0.contestableUsers(in: event.payload) }
    case .relay(let event): event.contestedUsers
    case .notice, .scheduled, .order, .unknown, .refused, .invalid: []
    }
  }

  /// What a gateway, or another router, accepted may be new to this router; anybody else's mistake by its catalogue is one.
  private func refusal(of message: BrokerMessage, because error: ValidationError) -> IngestItem {
    let reason = "invalid: \(error)"
    return Self.isAccepted(message) ? .unknown(reason: reason) : .refused(reason: reason)
  }

  /// Whether it was judged before: a service of Belfry's has accepted it, or a router has given it an id and says by which version.
  static func isAccepted(_ message: BrokerMessage) -> Bool {
    if isOurs(message) { return true }
    return message.catalogueVersion != nil && IngestKind(acceptedAs: message.type) != nil
      && message.messageID.flatMap { RequestID($0) } != nil
  }

  /// What a version must know to have what a message is about, as ``NotificationModel/Catalogue/versionNames`` names it: a type, or an
  /// event. Nil if the message does not say.
  static func name(in message: BrokerMessage, routingKey: String) -> String? {
    guard let body = try? JSONParser.parse(message.body) else { return nil }
    let reference: JSONValue? =
      switch message.type {
      case _ where routingKey == Topology.eventKey: body["name"]
      case RoutingOrder.messageType, RoutingOrder.chunkType: body["content"]?["type"]
      case ScheduledSend.messageType: body["request"]?["type"]
      default: body["type"]
      }
    if let code = reference?.integer { return String(code) }
    return reference?.string?.lowercased()
  }

  /// Whether a service of Belfry's, of whatever version, has accepted it.
  static func isOurs(_ message: BrokerMessage) -> Bool {
    message.isOfService && message.type?.hasPrefix("belfry.") == true
  }

  /// What this version knows of those.
  private static let types: Set = [
    IngestKind.request.messageType, IngestKind.event.messageType, NoticeRequest.messageType, RoutingOrder.messageType,
    RoutingOrder.chunkType, ScheduledSend.messageType,
  ]

  private static func identity(of message: BrokerMessage, _ kind: IngestKind, now: Date) -> SubmissionIdentity {
    guard let key = message.messageID, !key.isEmpty else { return .anonymous }
    if let id = id(key, of: message, kind, now: now) { return .known(id) }
    let scope =
      switch kind {
      case .request: "amqp"
      case .event: "amqp-event"
      }
    return .keyed(scope: "\(scope):\(message.appID ?? "")", key: key)
  }

  /// The id that the gateway or a router has set as the message-id.
  private static func id(_ key: String, of message: BrokerMessage, _ kind: IngestKind, now: Date) -> RequestID? {
    guard message.type == kind.messageType, let id = RequestID(key), let time = id.time else { return nil }
    // What a router has begun has the id that it was begun with.
    return message.bookmark != nil || time > now - oldest && time < now + newest ? id : nil
  }

  private func oversize(_ message: BrokerMessage) -> String? {
    guard message.body.count > Self.maximumBody else { return nil }
    return "oversized: \(message.body.count) bytes; at most \(Self.maximumBody) are allowed"
  }

  /// Request ids are UUIDv7 of about now: older partitions may be gone. Others are looked up like any sender's key.
  private static let oldest: TimeInterval = 7 * 86_400
  static let newest: TimeInterval = 3_600
}
