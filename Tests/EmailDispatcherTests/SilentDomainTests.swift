import Broker
import Dispatching
import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore
import Synchronization
import TestSupport
import Testing
import Transport

@testable import EmailDispatcher

/// One domain whose mails the server never answers, among others.
@Suite(.serialized, .timeLimit(.minutes(2))) struct SilentDomainTests {
  private struct Addresses: AddressBook {
    func record(_ evidence: [SuppressionEvidence]) async throws {}

    func objections(to mails: [SuppressionStore.WaitingMail]) async throws -> [SkipReason?] { mails.map { _ in nil } }
  }

  private struct NobodyErased: ErasureSource {
    func erased(since: Date?) async throws -> ErasureStore.Look { .init(marks: [], at: .now) }
  }

  private final class Outcomes: OutcomeStore {
    private let state = Mutex<[String: DeliveryOutcome]>([:])

    var all: [String: DeliveryOutcome] { state.withLock(\.self) }

    func record(_ records: [DeliveryStore.Record]) async throws {
      state.withLock { state in
        for record in records { state[record.target] = record.outcome }
      }
    }

    func finished(
      _ notifications: [(user: UserID, id: NotificationID)],
      channel: Channel
    ) async throws -> Set<DeliveryStore.Key> { [] }

    func finished(topics: [NotificationID]) async throws -> Set<DeliveryStore.Key> { [] }
  }

  private let broker = InMemoryBroker()
  private let outcomes = Outcomes()
  private let ladder = RetryLadder(delays: [.seconds(1), .seconds(60)])

  init() {
    broker.declare(Topology.durable(ladder: ladder))
  }

  private func worker(_ client: SMTPClient, connections: Int) -> DispatchWorker {
    DispatchWorker(
      channel: EmailChannel(
        maximumAttempts: 3,
        concurrency: connections,
        longestDelivery: .seconds(60),
        composer: EmailComposer(sender: MIMEAddress(address: "news@example.com"), domain: "example.com"),
        mailServer: client,
        addresses: Addresses(),
        logger: .quiet
      ),
      consumer: broker.consumer(of: WorkQueue.email.name),
      publisher: broker,
      store: outcomes,
      erasures: ErasureWatch(source: NobodyErased(), logger: .quiet),
      ladder: ladder,
      logger: .quiet
    )
  }

  private func waiting() throws -> [String] {
    try ladder.tiers.flatMap { tier in
      try broker.messages(in: tier.queue(of: .email)).flatMap { message in
        try QueueCoder.decode(DispatchMessage.self, from: message).deliveries.flatMap(\.targets).map(\.id)
      }
    }
  }

  @Test func `while a domain never answers the final dot, all others get their mails`() async throws {
    try await MoodyServer.with(["--silent", "silent.example"]) { server in
      let others = (0..<400).map { "user-\($0)@domain-\($0 % 8).example" }
      let silent = (0..<40).map { "user-\($0)@silent.example" }
      // Behind some that are answered, so that it is known how long a mail takes; then a tenth of each message.
      for number in 0..<20 {
        let part = Array(others[number * 20..<number * 20 + 20])
        let message = try MailMessage.to(part + (number == 0 ? [] : silent[number * 2..<number * 2 + 2]))
        try await broker.publish(
          BrokerMessage(body: QueueCoder.encode(message)),
          exchange: Topology.dispatchExchange,
          routingKey: WorkQueue.email.name
        )
      }
      var configuration = SMTPConfiguration(host: "127.0.0.1", port: server.port, security: .none)
      configuration.maximumConnections = 4
      let client = SMTPClient(configuration: configuration, logger: .quiet)
      let worker = worker(client, connections: 4)
      try await withThrowingTaskGroup { group in
        group.addTask { try await worker.run() }
        try await eventually("all of the others have their mails") {
          outcomes.all.count { $0.value == .delivered } == others.count
        }
        let asked = try server.messages().filter { $0.recipient?.hasSuffix("@silent.example") == true }
        #expect(!asked.isEmpty && asked.count <= 16 + 4, "\(asked.count) were asked")
        client.giveUpAnswers()
        try await group.waitForAll()
      }
      let uncertain = outcomes.all.filter { $0.value == .uncertain }.keys
      #expect(uncertain.allSatisfy { $0.hasSuffix("@silent.example") } && !uncertain.isEmpty)
      // Nothing is lost: what was not asked waits, and so does what is uncertain.
      #expect(Set(try waiting()) == Set(silent[2...]))
      await client.close()
    }
  }
}
