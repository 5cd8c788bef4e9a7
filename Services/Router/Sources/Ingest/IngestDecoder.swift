import Broker
import Foundation
import NotificationModel
import NotificationQueue

/// Tells what an ingest message asks for. Pure.
struct IngestDecoder {
  /// Bodies above this are refused, whoever sends them.
  static let maximumBody = 256 * 1_024

  let catalogue: Catalogue

  func decode(_ message: BrokerMessage, routingKey: String, now: Date) -> IngestItem {
    do {
      if routingKey == Topology.eventKey {
        if let reason = oversize(message) { return .invalid(reason: reason) }
        let report = try FieldReader.read(EventReport.self, from: message.body)
        do throws(ValidationError) {
          return .event(RelayedEvent(report, type: try report.resolve(in: catalogue)))
        } catch {
          return refusal(of: message, because: error)
        }
      }
      if message.type == RoutedPart.messageType || message.type == RoutedPart.chunkType {
        let part: RoutedPart = try QueueCoder.decode(from: message)
        guard let type = catalogue.type(.code(part.content.type)) else {
          return .unknown(reason: "type \(part.content.type) is not in this router's catalogue")
        }
        return .part(part, type)
      }
      if message.type == ScheduledSend.messageType {
        let send: ScheduledSend = try QueueCoder.decode(from: message)
        let request = try FieldReader.read(SendRequest.self, from: send.request)
        return .scheduled(send, request, try request.resolve(in: catalogue, knowing: send.facts))
      }
      if let reason = oversize(message) { return .invalid(reason: reason) }
      let request = try FieldReader.read(SendRequest.self, from: message.body)
      let type: NotificationType
      do throws(ValidationError) {
        type = try request.resolve(in: catalogue)
      } catch {
        return refusal(of: message, because: error)
      }
      guard let key = message.messageID, !key.isEmpty else { return .anonymous }
      if message.type == IngestKind.request.messageType, let id = RequestID(key), let time = id.time,
        // What a router has begun has the id that it was begun with.
        message.bookmark != nil || time > now - Self.oldest && time < now + Self.newest
      {
        try request.checkTime(since: time)
        return .request(id, request, type)
      }
      return .keyed(scope: "amqp:\(message.appID ?? "")", key: key, request, type)
    } catch {
      return .invalid(reason: "invalid: \(error)")
    }
  }

  /// What a gateway accepted may be new to this router; anybody else's mistake is one.
  private func refusal(of message: BrokerMessage, because error: ValidationError) -> IngestItem {
    let reason = "invalid: \(error)"
    return IngestKind(acceptedAs: message.type) == nil ? .invalid(reason: reason) : .unknown(reason: reason)
  }

  private func oversize(_ message: BrokerMessage) -> String? {
    guard message.body.count > Self.maximumBody else { return nil }
    return "oversized: \(message.body.count) bytes; at most \(Self.maximumBody) are allowed"
  }

  /// Request ids are UUIDv7 of about now: older partitions may be gone. Others are looked up like any sender's key.
  private static let oldest: TimeInterval = 7 * 86_400
  static let newest: TimeInterval = 3_600
}
