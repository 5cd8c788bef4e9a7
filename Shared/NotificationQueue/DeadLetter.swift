public import Broker
import Foundation

/// A message that was given up on, parked with everything an operator needs to judge and redrive it.
public enum DeadLetter {
  public static let reasonHeader = "x-belfry-reason"
  public static let originHeader = "x-belfry-origin-queue"
  public static let exchangeHeader = "x-belfry-origin-exchange"
  public static let routingKeyHeader = "x-belfry-origin-key"
  public static let attemptsHeader = "x-belfry-attempts"
  public static let timeHeader = "x-belfry-dead-at"

  /// `message` as it is parked: body and properties unchanged, reason and origin in headers.
  public static func parked(
    _ message: BrokerMessage,
    reason: String,
    queue: String,
    exchange: String,
    routingKey: String,
    attempts: Int
  ) -> BrokerMessage {
    var parked = message
    parked.isPersistent = true
    parked.expiration = nil
    parked.headers[reasonHeader] = .string(String(reason.prefix(1_000)))
    parked.headers[originHeader] = .string(queue)
    parked.headers[exchangeHeader] = .string(exchange)
    parked.headers[routingKeyHeader] = .string(routingKey)
    parked.headers[attemptsHeader] = .integer(Int64(attempts))
    parked.headers[timeHeader] = .string(Date.now.formatted(.iso8601))
    return parked
  }

  /// `message` without what may keep it from being published: headers and properties go, the body is cut.
  static func reduced(_ message: BrokerMessage) -> BrokerMessage {
    BrokerMessage(
      body: Array(message.body.prefix(64 * 1_024)),
      contentType: "application/octet-stream",
      timestamp: Date.now
    )
  }

  /// `message` as it goes back to work: without the headers that parking and the broker added.
  public static func redriven(_ message: BrokerMessage) -> BrokerMessage {
    var redriven = message
    for header in [
      reasonHeader, originHeader, exchangeHeader, routingKeyHeader, attemptsHeader, timeHeader, "x-death",
      "x-first-death-exchange", "x-first-death-queue", "x-first-death-reason", "x-delivery-count",
    ] { redriven.headers[header] = nil }
    return redriven
  }
}
