import Broker
import Foundation
import LocalStack
import NotificationModel
import NotificationQueue

/// Fills a dispatcher's queue with messages as routers make them, each of a request of its own.
struct DispatchFeed: Sendable {
  enum Pace: Sendable, Equatable {
    /// There is always more than the dispatcher takes.
    case full
    /// So many messages a second, of ``DispatchMessage/maximumDeliveries`` deliveries each.
    case steady(Int)
  }

  let queue: WorkQueue
  private let targets: [(user: UserID, target: DeliveryTarget)]
  private let bench: Bench
  private let content: NotificationContent

  /// Messages that are ready when the queue is full.
  private static let depth = 200
  private static let maximumUnconfirmed = 50

  init(_ bench: Bench, _ queue: WorkQueue, to targets: [(user: UserID, target: DeliveryTarget)]) throws {
    self.bench = bench
    self.queue = queue
    self.targets = targets
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

  /// Puts so many messages into the queue.
  func fill(_ messages: Int) async throws {
    try await publishing { publisher in try await publish(0..<messages, publisher) }
    let depth = try await bench.admin.depth(of: queue.name)
    guard depth >= messages else { throw BenchError("only \(depth) of \(messages) messages are in \(queue.name)") }
  }

  /// Puts messages into the queue until the task is cancelled.
  func keep(_ pace: Pace) async throws {
    try await publishing { publisher in
      let clock = ContinuousClock()
      let started = clock.now
      var number = 0
      while true {
        let due =
          switch pace {
          case .full: number + max(0, Self.depth - (try await bench.admin.depth(of: queue.name)))
          case .steady(let rate): Int((clock.now - started) / .seconds(1) * Double(rate))
          }
        try await publish(number..<max(number, due), publisher)
        number = max(number, due)
        try await clock.sleep(for: .milliseconds(100))
      }
    }
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

  private func publish(_ numbers: Range<Int>, _ publisher: BrokerPublisher) async throws {
    let callers = min(Self.maximumUnconfirmed, numbers.count)
    try await withThrowingDiscardingTaskGroup { tasks in
      for caller in 0..<callers {
        tasks.addTask { @concurrent in
          for number in stride(from: numbers.lowerBound + caller, to: numbers.upperBound, by: callers) {
            try await publisher.publish(
              message(number),
              exchange: Topology.dispatchExchange,
              routingKey: queue.name
            )
          }
        }
      }
    }
  }

  private func message(_ number: Int) -> BrokerMessage {
    let request = RequestID(now: .now)
    let first = number * DispatchMessage.maximumDeliveries
    let message = DispatchMessage(
      recheck: false,
      contents: [content],
      deliveries: (first..<first + DispatchMessage.maximumDeliveries).map { place in
        let (user, target) = targets[place % targets.count]
        return DispatchMessage.Delivery(
          notificationId: NotificationID(request: request, recipient: user),
          userId: user,
          content: 0,
          badge: 1,
          targets: [target]
        )
      }
    )
    return BrokerMessage(
      body: QueueCoder.encode(message),
      contentType: "application/json",
      type: queue.name,
      appID: "belfry-bench",
      timestamp: .now
    )
  }
}
