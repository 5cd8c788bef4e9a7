public import Broker
import Foundation

/// A message that was given up on, dead-lettered with everything an operator needs to assess and redrive it.
public enum DeadLetter {
  public static let reasonHeader = "x-belfry-reason"
  public static let originHeader = "x-belfry-origin-queue"
  public static let exchangeHeader = "x-belfry-origin-exchange"
  public static let routingKeyHeader = "x-belfry-origin-key"
  public static let attemptsHeader = "x-belfry-attempts"
  public static let timeHeader = "x-belfry-dead-at"

  /// `message` as it is kept: body and properties unchanged, reason and origin in headers.
  public static func annotated(
    _ message: BrokerMessage,
    reason: String,
    queue: String,
    exchange: String,
    routingKey: String,
    attempts: Int
  ) -> BrokerMessage {
    var annotated = message
    annotated.isPersistent = true
    annotated.expiration = nil
    annotated.headers[reasonHeader] = .string(String(reason.prefix(1_000)))
    annotated.headers[originHeader] = .string(queue)
    annotated.headers[exchangeHeader] = .string(exchange)
    annotated.headers[routingKeyHeader] = .string(routingKey)
    annotated.headers[attemptsHeader] = .integer(Int64(attempts))
    annotated.headers[timeHeader] = .string(Date.now.formatted(.iso8601))
    return annotated
  }

  /// `message` without what may keep it from being published: headers and properties go, the body is cut.
  static func reduced(_ message: BrokerMessage) -> BrokerMessage {
    BrokerMessage(
      body: Array(message.body.prefix(64 * 1_024)),
      contentType: "application/octet-stream",
      timestamp: Date.now
    )
  }

  /// A dead-lettered message as it goes back to work: to the work queue's own exchange, never to the delay ladder that it may have
  /// come through, and without the headers that dead-lettering and the broker added.
  ///
  /// Some of its targets may have been reached before it was dead-lettered, so a dispatch message is to look outcomes up first.
  public static func redriven(
    _ message: BrokerMessage,
    into queue: String
  ) -> (message: BrokerMessage, exchange: String, routingKey: String) {
    var redriven = message
    for header in [
      reasonHeader, originHeader, exchangeHeader, routingKeyHeader, attemptsHeader, timeHeader, "x-death",
      "x-first-death-exchange", "x-first-death-queue", "x-first-death-reason", "x-last-death-exchange",
      "x-last-death-queue", "x-last-death-reason", "x-delivery-count", "x-acquired-count",
    ] { redriven.headers[header] = nil }
    guard queue != Topology.ingestQueue else { return (redriven, Topology.ingestExchange, ingestKey(of: message)) }
    // What cannot be decoded is dead-lettered again anyway.
    if var dispatch = try? QueueCoder.decode(DispatchMessage.self, from: message), !dispatch.recheck {
      dispatch.recheck = true
      redriven.body = QueueCoder.encode(dispatch)
    }
    return (redriven, Topology.dispatchExchange, queue)
  }

  /// Under which key the message came to the router: as we noted it, or as the broker did when it gave up on it.
  private static func ingestKey(of message: BrokerMessage) -> String {
    let deaths = message.headers["x-death"]?.arrayValue?.compactMap(\.tableValue) ?? []
    let death = deaths.first { $0["queue"]?.stringValue == Topology.ingestQueue }
    let key = message.headers[routingKeyHeader] ?? death?["routing-keys"]?.arrayValue?.first
    return key?.stringValue == Topology.eventKey ? Topology.eventKey : Topology.requestKey
  }
}
