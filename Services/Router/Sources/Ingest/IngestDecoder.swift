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
        return .event(RelayedEvent(report, type: try report.resolve(in: catalogue)))
      }
      if message.type == RoutedPart.messageType || message.type == RoutedPart.chunkType {
        return .part(try QueueCoder.decode(from: message))
      }
      if message.type == ScheduledSend.messageType {
        let send: ScheduledSend = try QueueCoder.decode(from: message)
        let request = try FieldReader.read(SendRequest.self, from: send.request)
        return .scheduled(send, request, try request.resolve(in: catalogue, knowing: send.facts))
      }
      if let reason = oversize(message) { return .invalid(reason: reason) }
      let request = try FieldReader.read(SendRequest.self, from: message.body)
      let type = try request.resolve(in: catalogue)
      guard let key = message.messageID, !key.isEmpty else { return .anonymous }
      if message.type == IngestKind.request.messageType, let id = RequestID(key), let time = id.time,
        time > now - Self.oldest,
        time < now + Self.newest
      {
        try request.checkTime(since: time)
        return .request(id, request, type)
      }
      return .keyed(scope: "amqp:\(message.appID ?? "")", key: key, request, type)
    } catch {
      return .invalid(reason: "invalid: \(error)")
    }
  }

  private func oversize(_ message: BrokerMessage) -> String? {
    guard message.body.count > Self.maximumBody else { return nil }
    return "oversized: \(message.body.count) bytes; at most \(Self.maximumBody) are allowed"
  }

  /// Request ids are UUIDv7 of about now: older partitions may be gone. Others are looked up like any sender's key.
  private static let oldest: TimeInterval = 7 * 86_400
  static let newest: TimeInterval = 3_600
}
