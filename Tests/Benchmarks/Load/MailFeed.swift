import Broker
import Foundation
import LocalStack
import NotificationModel
import NotificationQueue

/// Fills the queues of an email dispatcher with messages as routers make them. The people are in no table.
struct MailFeed: Sendable {
  private let bench: Bench
  private let content: NotificationContent

  private static let maximumUnconfirmed = 50

  init(_ bench: Bench) throws {
    self.bench = bench
    guard let type = try Catalogue().type(.code(SendSuite.type)) else {
      throw BenchError("the built-in catalogue has no type \(SendSuite.type)")
    }
    let data = ["amount": "$10.00", "balance": "$42.00"]
    content = NotificationContent(
      type: type,
      text: type.template.render(title: nil, body: nil, data: data),
      data: data,
      relatedEntityType: nil,
      relatedEntityId: nil,
      collapseKey: nil,
      createdAt: .now,
      expiresAt: .now + 86_400
    )
  }

  /// Puts mails to so many people into a queue, in full messages.
  func fill(_ queue: WorkQueue, _ mails: Int) async throws {
    let messages = mails / DispatchMessage.maximumDeliveries
    try await publishing { publisher in
      try await withThrowingDiscardingTaskGroup { tasks in
        for caller in 0..<Self.maximumUnconfirmed {
          tasks.addTask { @concurrent in
            for number in stride(from: caller, to: messages, by: Self.maximumUnconfirmed) {
              let first = number * DispatchMessage.maximumDeliveries
              let addresses = (first..<first + DispatchMessage.maximumDeliveries).map { "bulk-\($0)@example.com" }
              _ = try await publish(addresses, to: queue, by: publisher)
            }
          }
        }
      }
    }
    let depth = try await bench.admin.depth(of: queue.name)
    guard depth >= messages else { throw BenchError("only \(depth) of \(messages) messages are in \(queue.name)") }
  }

  /// Puts mails to one person into a queue for some time, each in a message of its own.
  ///
  /// - Returns: When each was published (``WallTime``), by its notification's id.
  func keep(_ queue: WorkQueue, to reader: String, rate: Int, for seconds: Int) async throws -> [String: Int64] {
    var published: [String: Int64] = [:]
    try await publishing { publisher in
      let clock = ContinuousClock()
      let started = clock.now
      for number in 0..<rate * seconds {
        try await clock.sleep(until: started + .seconds(Double(number) / Double(rate)))
        let time = WallTime.now
        for id in try await publish([reader], to: queue, by: publisher) { published[id] = time }
      }
    }
    return published
  }

  private func publishing(_ body: (BrokerPublisher) async throws -> Void) async throws {
    let publisher = BrokerPublisher(
      configuration: try BrokerConfiguration(url: bench.stack.rabbitmq.url),
      maximumUnconfirmed: Self.maximumUnconfirmed,
      logger: .bench
    )
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await publisher.run() }
      try await Patience.wait(for: "a connection", within: .seconds(5)) { publisher.state == .connected }
      try await body(publisher)
      group.cancelAll()
    }
  }

  /// - Returns: The notifications' ids.
  private func publish(
    _ addresses: [String],
    to queue: WorkQueue,
    by publisher: BrokerPublisher
  ) async throws -> [String] {
    let request = RequestID(now: .now)
    var content = content
    content.mail.stream = queue.stream ?? .transactional
    let deliveries = addresses.map { address in
      let user = UserID(UUID())
      return DispatchMessage.Delivery(
        notificationId: NotificationID(request: request, recipient: user),
        userId: user,
        content: 0,
        badge: 1,
        targets: [DeliveryTarget(id: address, address: address)]
      )
    }
    let message = DispatchMessage(recheck: false, contents: [content], deliveries: deliveries)
    try await publisher.publish(
      BrokerMessage(
        body: QueueCoder.encode(message),
        contentType: "application/json",
        type: queue.name,
        appID: "belfry-bench",
        timestamp: .now
      ),
      exchange: Topology.dispatchExchange,
      routingKey: queue.name
    )
    return deliveries.map(\.notificationId.description)
  }
}
