import BenchmarkComparison
import Broker
import Foundation
import BelfryJSON
import LocalStack
import NotificationModel
import NotificationQueue
import Postgres
import Transport

/// What one build declares at the broker, publishes for one send and answers, as lines by part.
///
/// One send to one person, by all channels, is taken out of the queues in front of the dispatchers, which are stopped meanwhile. So a
/// difference in what a message has for several people or in a retry is not seen.
struct MessageSample {
  private(set) var parts: [String: [String]] = [:]

  private static let user = "4f9c1c1e-0001-4000-8000-0000000000be"
  private static let realtimeQueue = "bench.realtime"

  static func take(_ bench: Bench) async throws -> MessageSample {
    var sample = MessageSample()
    let client = HTTPClient(configuration: HTTPClientConfiguration(), logger: .bench)
    try await sample.readTopology(bench)
    try await sample.readHealth(bench, client)
    let dispatchers = bench.stack.services(.push) + bench.stack.services(.email)
    for process in dispatchers { await process.terminate() }
    try await sample.readSend(bench, client)
    await client.close()
    for process in dispatchers { try process.launch() }
    for process in dispatchers { try await process.waitUntilReady() }
    return sample
  }

  private mutating func readTopology(_ bench: Bench) async throws {
    for (part, command) in [
      ("queues", ["list_queues", "name", "durable", "exclusive", "arguments"]),
      ("exchanges", ["list_exchanges", "name", "type", "durable"]),
      ("bindings", ["list_bindings", "source_name", "destination_name", "routing_key"]),
    ] {
      let text = try await bench.stack.rabbitmq.control(command)
      parts[part] = text.split(separator: "\n").map { MessageDifference.declared(String($0)) }
    }
  }

  private mutating func readHealth(_ bench: Bench, _ client: HTTPClient) async throws {
    let answer = try await client.send(HTTPRequest(url: bench.stack.gatewayURL + "/health/live"))
    parts["GET /health/live"] = Self.lines(of: answer)
  }

  private mutating func readSend(_ bench: Bench, _ client: HTTPClient) async throws {
    try await Self.makeUser(bench)
    let admin = try bench.admin
    try await admin.declare(
      BrokerTopology(
        exchanges: [.init(name: Topology.realtimeExchange)],
        queues: [.quorum(Self.realtimeQueue)],
        bindings: Shard.all.map {
          .init(queue: Self.realtimeQueue, exchange: Topology.realtimeExchange, key: $0.routingKey)
        }
      )
    )
    let json = #"{"to":{"users":["\#(Self.user)"]},\#(SendSuite.content)}"#
    let answer = try await client.send(
      HTTPRequest(
        method: "POST",
        url: bench.stack.gatewayURL + "/api/v1/notifications",
        headers: [
          (name: "Content-Type", value: "application/json"),
          (name: "Authorization", value: "Bearer \(try await bench.serviceToken())"),
        ],
        body: Array(json.utf8)
      )
    )
    parts["POST /api/v1/notifications"] = Self.lines(of: answer)
    for queue in [WorkQueue.push.name, WorkQueue.email.name, Self.realtimeQueue] {
      parts["a message of \(queue)"] = try await Self.next(of: queue, admin)
    }
    try await admin.delete(Self.realtimeQueue)
  }

  /// Takes a message away.
  private static func next(of queue: String, _ admin: BrokerAdmin) async throws -> [String] {
    do {
      try await Patience.wait(for: "a message in \(queue)", within: .seconds(15), every: .milliseconds(100)) {
        try await admin.depth(of: queue) > 0
      }
    } catch let error as BenchError {
      return ["none: \(error)"]
    }
    return try await admin.withMessages(queue: queue) { fetch in
      guard let delivery = try await fetch.take(1).first else { return ["none"] }
      try await fetch.acknowledge(delivery)
      return lines(of: delivery)
    }
  }

  private static func lines(of delivery: BrokerDelivery) -> [String] {
    let message = delivery.message
    let properties = [
      "exchange": delivery.exchange, "routing key": delivery.routingKey, "content-type": message.contentType ?? "",
      "type": message.type ?? "", "app-id": message.appID ?? "", "message-id": message.messageID ?? "",
      "expiration": message.expiration.map { "\($0)" } ?? "", "persistent": "\(message.isPersistent)",
    ]
    return properties.map { "property \($0.key): \(MessageDifference.described($0.value))" }
      + message.headers.map { "header \($0.key): \(MessageDifference.described("\($0.value)"))" }
      + lines(ofBody: message.body)
  }

  private static func lines(of answer: HTTPResponse) -> [String] {
    ["status: \(answer.status)"]
      + answer.headers.all.filter { $0.name.lowercased() != "date" }.map {
        "\($0.name): \(MessageDifference.described($0.value))"
      } + lines(ofBody: answer.body)
  }

  private static func lines(ofBody body: [UInt8]) -> [String] {
    do {
      return MessageDifference.lines(of: try JSONParser.parse(body))
    } catch {
      return ["body: \(body.count) bytes that are no JSON"]
    }
  }

  /// Somebody with a phone and an address who wants this type on every channel.
  private static func makeUser(_ bench: Bench) async throws {
    guard let user = UserID(Self.user) else { throw BenchError("not a user id: \(Self.user)") }
    _ = try await bench.database.transaction([
      """
      INSERT INTO users (user_id, email, display_name, locale, timezone)
      VALUES (\(user), 'sample@example.com', 'Sample', 'en', 'Europe/Berlin')
      """,
      """
      INSERT INTO devices (user_id, id, token, platform, name, app_version)
      VALUES (\(user), \(user.uuid), 'sample:' || repeat('0123456789abcdef', 8), 1, 'Phone', '1.0')
      """,
      """
      INSERT INTO preferences (user_id, type, in_app, push, email) VALUES (\(user), \(Int32(SendSuite.type)), true, true, true)
      """,
    ])
  }
}
