import Broker
import Dispatching
import Foundation
import Logging
import NotificationModel
import NotificationQueue
import NotificationStore
import Synchronization
import TestSupport
import Testing

@testable import PushDispatcher

/// Two providers, each with a worker on a queue of its own.
@Suite(.timeLimit(.minutes(2))) struct ProviderWorkersTests {
  private struct NobodyErased: ErasureSource {
    func erased(since: Date?) async throws -> ErasureStore.Look { .init(marks: [], at: .now) }
  }

  /// A provider that does what a test says, and remembers whom it was asked to push to.
  private final class MemoryProvider: PushProvider {
    let platforms: Set<DevicePlatform>
    let concurrency = 2
    private let asked = Mutex<[String]>([])
    private let answer: @Sendable () async -> DeliveryResult

    init(_ platforms: Set<DevicePlatform>, answer: @escaping @Sendable () async -> DeliveryResult) {
      self.platforms = platforms
      self.answer = answer
    }

    /// Addresses, in order of their names.
    var addresses: [String] { asked.withLock { $0.sorted() } }

    func push(_ targeted: TargetedDelivery) async -> DeliveryResult {
      asked.withLock { $0.append(targeted.target.address) }
      return await answer()
    }
  }

  private final class Devices: DeviceRegistry {
    func deactivate(tokens: [(user: UserID, device: DeviceID, token: String, goneSince: Date?)], reason: String)
      async throws
    {}

    func move(_ device: DeviceID, of user: UserID, token: String, to environment: APNsAddress.Environment) async throws
    {}
  }

  private final class Outcomes: OutcomeStore {
    private let state = Mutex<[String: String]>([:])

    /// By target: outcome and reason.
    var all: [String: String] { state.withLock(\.self) }

    func record(_ records: [DeliveryStore.Record]) async throws {
      state.withLock { state in
        for record in records {
          state[record.target] = ["\(record.outcome)", record.reason].compactMap(\.self).joined(separator: " ")
        }
      }
    }

    func finished(
      _ notifications: [(user: UserID, id: NotificationID)],
      channel: Channel
    ) async throws -> Set<DeliveryStore.Key> { [] }

    func finished(topics: [NotificationID]) async throws -> Set<DeliveryStore.Key> { [] }
  }

  /// Lets everybody wait until it is opened.
  private final class Gate: Sendable {
    private let state = Mutex((isOpen: false, waiting: [CheckedContinuation<Void, Never>]()))

    func wait() async {
      await withCheckedContinuation { waiter in
        let isOpen = state.withLock { state in
          if !state.isOpen { state.waiting.append(waiter) }
          return state.isOpen
        }
        if isOpen { waiter.resume() }
      }
    }

    func open() {
      let waiting = state.withLock { state in
        state.isOpen = true
        return state.waiting
      }
      for waiter in waiting { waiter.resume() }
    }
  }

  private let broker = InMemoryBroker()
  private let outcomes = Outcomes()
  private let ladder = RetryLadder(delays: [.seconds(1)])

  private let fcm = WorkQueue.push
  private let apns = WorkQueue(.apns)

  init() {
    broker.declare(Topology.durable(ladder: ladder))
  }

  /// One notification with a device of each of those platforms, named by it and a number: `1-7`.
  private func send(_ platforms: [Int?], number: Int, to queue: WorkQueue) async throws {
    let type = try #require(try Catalogue().type(.code(12)))
    let content = NotificationContent(
      type: type,
      text: type.template.render(title: "Hello", body: "World", data: [:]),
      data: [:],
      relatedEntityType: nil,
      relatedEntityId: nil,
      collapseKey: nil,
      createdAt: .now,
      expiresAt: .now + 3_600
    )
    let user = UserID(UUID())
    let targets = platforms.map { platform in
      let name = "\(platform.map(String.init) ?? "none")-\(number)"
      return DispatchMessage.Target(id: name, address: name, platform: platform)
    }
    let delivery = DispatchMessage.Delivery(
      notificationId: NotificationID(request: RequestID(now: .now), recipient: user),
      userId: user,
      content: 0,
      badge: 1,
      targets: targets
    )
    let message = DispatchMessage(recheck: false, contents: [content], deliveries: [delivery])
    try await broker.publish(
      BrokerMessage(body: QueueCoder.encode(message)),
      exchange: Topology.dispatchExchange,
      routingKey: queue.name
    )
  }

  private func worker(_ provider: MemoryProvider, on queue: WorkQueue) -> DispatchWorker {
    var timing = DispatchTiming()
    timing.recordingInterval = .milliseconds(1)
    return DispatchWorker(
      channel: PushChannel(
        queue: queue,
        maximumAttempts: 3,
        longestDelivery: .zero,
        provider: provider,
        devices: Devices(),
        logger: .quiet
      ),
      consumer: broker.consumer(of: queue.name),
      publisher: broker,
      store: outcomes,
      erasures: ErasureWatch(source: NobodyErased(), logger: .quiet),
      ladder: ladder,
      timing: timing,
      logger: .quiet
    )
  }

  private func isSettled(_ queue: WorkQueue) -> Bool {
    broker.heldCount(of: queue.name) == 0 && broker.messages(in: queue.name).isEmpty
  }

  private func waiting(in queue: String) throws -> [String] {
    try broker.messages(in: queue).flatMap { message in
      try QueueCoder.decode(DispatchMessage.self, from: message).deliveries.flatMap(\.targets).map(\.id)
    }.sorted()
  }

  @Test func `each provider gets the devices of its own platforms, once`() async throws {
    let apple = MemoryProvider([.apns]) { .delivered(providerID: "a") }
    let google = MemoryProvider([.android, .web]) { .delivered(providerID: "g") }
    for number in 1...3 {
      try await send([11], number: number, to: apns)
      try await send([2, 3], number: number, to: fcm)
    }
    try await worker(apple, on: apns).run()
    try await worker(google, on: fcm).run()
    #expect(apple.addresses == ["11-1", "11-2", "11-3"])
    #expect(google.addresses == ["2-1", "2-2", "2-3", "3-1", "3-2", "3-3"])
    #expect(outcomes.all.count == 9 && outcomes.all.values.allSatisfy { $0 == "delivered" })
    #expect(isSettled(apns) && isSettled(fcm))
  }

  @Test
  func `what the provider does not serve is recorded and dead-lettered with its reason, and its neighbours are pushed`()
    async throws
  {
    let google = MemoryProvider([.android]) { .delivered(providerID: "g") }
    // 11 is another provider's, 3 is not served, 7 is another version's, and one has none.
    try await send([11, 3, 7, nil, 2], number: 1, to: fcm)
    try await worker(google, on: fcm).run()
    #expect(google.addresses == ["2-1"])
    #expect(
      outcomes.all == [
        "2-1": "delivered", "3-1": "exhausted noProvider", "7-1": "exhausted noProvider",
        "11-1": "exhausted noProvider", "none-1": "exhausted noProvider",
      ]
    )
    let deadLettered = Topology.deadQueue(of: fcm.name)
    #expect(try waiting(in: deadLettered) == ["11-1", "3-1", "7-1", "none-1"])
    #expect(broker.messages(in: deadLettered).map { $0.headers[DeadLetter.reasonHeader] } == ["gave up: noProvider"])
    #expect(isSettled(fcm))
  }

  @Test func `FCM is given its own tokens alone, and the router sends nothing to others`() {
    #expect(FCMSender.own == [.iOS, .android, .web])
    #expect(Set(DevicePlatform.allCases.filter(PushProviders.standard.serve)) == FCMSender.own)
  }

  @Test func `a provider that does not answer holds its own devices, and none of the other's`() async throws {
    let gate = Gate()
    let google = MemoryProvider([.android]) {
      await gate.wait()
      return .retry(reason: "503", first: .seconds(1))
    }
    let apple = MemoryProvider([.apns]) { .delivered(providerID: "a") }
    // Far more than the permits of both.
    for number in 1...20 {
      try await send([2], number: number, to: fcm)
      try await send([11], number: number, to: apns)
    }
    let workers = [worker(google, on: fcm), worker(apple, on: apns)]
    try await withThrowingTaskGroup { group in
      for worker in workers { group.addTask { try await worker.run() } }
      try await eventually("Apple's are recorded, and Google has two") {
        outcomes.all.count == 20 && google.addresses.count == 2 && isSettled(apns)
      }
      #expect(outcomes.all.values.allSatisfy { $0 == "delivered" })
      #expect(apple.addresses.count == 20)
      #expect(google.addresses.count == 2)
      #expect(!isSettled(fcm))
      gate.open()
      try await group.waitForAll()
    }
    #expect(google.addresses.count == 20)
    #expect(apple.addresses.count == 20)
    #expect(try waiting(in: "belfry.push.retry.1s") == (1...20).map { "2-\($0)" }.sorted())
    #expect(outcomes.all.count == 20)
    #expect(isSettled(fcm))
  }
}
