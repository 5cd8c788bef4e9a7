import Foundation
import NotificationModel
import NotificationQueue
import Synchronization
import TestSupport
import Testing

@testable import Broker
@testable import Router

/// Requests that came over AMQP without a message-id.
@Suite struct RequestsWithoutIDTests {
  private let people = (0..<100).map { _ in UserID(UUID()) }

  private func publishAll(_ router: TestRouter, bad: Int? = nil) async throws {
    for (index, person) in people.enumerated() {
      try await router.publish(TestRouter.body([person]), headers: index == bad ? ["bad": true] : [:])
    }
  }

  /// The real publisher refuses a header whose name is too long, wherever it is to go.
  private func refuseBadHeaders(_ router: TestRouter) {
    router.broker.failPublishes { message, _, _ in
      message.headers["bad"] == nil ? nil : BrokerError(.invalidMessage, "The name of a header is too long.")
    }
  }

  @Test func `one that cannot be given an id is dead-lettered, and its neighbours are delivered once`() async throws {
    let router = TestRouter()
    try await publishAll(router, bad: 57)
    refuseBadHeaders(router)
    try await router.run()
    #expect(router.isDone)
    #expect(Set(router.stores.stored.keys) == Set(people).subtracting([people[57]]))
    #expect(router.stores.stored.values.allSatisfy { $0 == 1 })
    #expect(router.deadLettered.count == 1)
  }

  @Test func `an id that was given stays when its confirm is lost and the batch is taken apart`() async throws {
    var router = TestRouter()
    try await publishAll(router)
    router.wrapPublisher = { ForgetfulPublisher(publisher: $0, times: 2) }
    try await router.run()
    #expect(router.isDone)
    #expect(router.log.all.contains { $0.text.contains("trying less at once") })
    #expect(Set(router.stores.stored.keys) == Set(people))
    #expect(router.stores.stored.values.allSatisfy { $0 == 1 })
  }

  @Test func `a death anywhere loses none, and doubles at most what was given an id just before`() async throws {
    func world() async throws -> TestRouter {
      let router = TestRouter()
      for person in people.prefix(3) { try await router.publish(TestRouter.body([person])) }
      return router
    }
    let steps = try await world().run().steps
    for step in 1...steps {
      for isAfter in [false, true] {
        let death = Lifetime.Death(step: step, isAfter: isAfter)
        let router = try await world()
        try await router.run(until: death)
        try await router.run()
        #expect(router.isDone)
        #expect(Set(router.stores.stored.keys) == Set(people.prefix(3)), "\(death)")
        // Of the first steps, three are stamps and one acknowledges them.
        let isBetween = step <= 4
        #expect(router.stores.stored.values.allSatisfy { $0 == 1 || isBetween && $0 == 2 }, "\(death)")
      }
    }
  }
}

/// Loses the first confirms of each stamped message, which the broker has stored all the same.
private final class ForgetfulPublisher: MessagePublisher {
  private let publisher: any MessagePublisher
  private let times: Int
  private let lost = Mutex<[[UInt8]: Int]>([:])

  init(publisher: any MessagePublisher, times: Int) {
    self.publisher = publisher
    self.times = times
  }

  func publish(
    _ message: BrokerMessage,
    exchange: String,
    routingKey: String,
    mandatory: Bool
  ) async throws(BrokerError) {
    try await publisher.publish(message, exchange: exchange, routingKey: routingKey, mandatory: mandatory)
    guard message.type == IngestKind.request.messageType else { return }
    let count = lost.withLock { lost in
      lost[message.body, default: 0] += 1
      return lost[message.body, default: 0]
    }
    if count <= times { throw BrokerError(.timeout, "The message may be stored.") }
  }
}
