import ArgumentParser
import Broker
import ConsoleCommands
import Foundation
import NotificationModel
import NotificationQueue
import TestSupport
import Testing

@testable import OperatorCLI

/// One after the other: each begins with new queues, which have the names that all of Belfry uses.
@Suite(.sharedBroker, .serialized, .timeLimit(.minutes(5)))
struct DeadLettersTests {
  private let broker: TestBroker
  private let letters: DeadLetters
  private let logger = LogRecorder().logger
  private let topology = Topology.durable(ladder: RetryLadder())
  /// As an earlier version declared it.
  private let formerTopology = BrokerTopology(
    exchanges: [.init(name: Topology.deadExchange)],
    queues: [.quorum("belfry.ingest.dead")],
    bindings: [.init(queue: "belfry.ingest.dead", exchange: Topology.deadExchange, key: "belfry.ingest.dead")]
  )

  init() async throws {
    broker = try TestBroker.require()
    letters = DeadLetters(queue: .ingest, configuration: try broker.configuration(), logger: logger)
    for queue in topology.queues { try await broker.admin.delete(queue.name) }
    try await broker.admin.delete("belfry.ingest.dead")
    try await broker.admin.declare(topology)
  }

  private func deadLetter(_ count: Int) async throws {
    try await broker.withPublisher(topology) { publisher in
      let place = DeadLetterPublisher(queue: Topology.ingestQueue, publisher: publisher)
      for number in 0..<count {
        try await place.publish(
          BrokerMessage(body: [0], messageID: "m\(number)"),
          reason: "because",
          exchange: Topology.ingestExchange,
          routingKey: Topology.requestKey,
          attempts: 1
        )
      }
    }
  }

  /// What `belfry dead list` prints.
  private func list(_ arguments: String...) async throws -> [String] {
    try await DeadListCommand.parse(arguments).page(of: letters).lines
  }

  private func ids(of lines: [String]) -> [String] {
    lines.filter { $0.contains("because") }.compactMap { $0.split(separator: " ").first.map(String.init) }
  }

  /// Takes a queue's messages out.
  private func drain(_ queue: String) async throws -> [BrokerDelivery] {
    try await broker.admin.withMessages(queue: queue) { fetch in
      let messages = try await fetch.take(1_000)
      for message in messages { try await fetch.acknowledge(message) }
      return messages
    }
  }

  private func waitUntilGivenBack(_ count: Int) async throws {
    try await eventually("what was looked at is back") { try await letters.count() == count }
  }

  @Test func `looking any number of times loses nothing and changes no order`() async throws {
    try await deadLetter(4)
    for _ in 0..<40 {
      #expect(ids(of: try await list()) == ["m0", "m1", "m2", "m3"])
      try await waitUntilGivenBack(4)
    }
  }

  @Test(arguments: WorkQueue.allCases)
  func `each provider's and stream's queue takes back what waited, and has dead letters of its own`(
    _ queue: WorkQueue
  ) async throws {
    let (waiting, dead) = try await broker.withPublisher(topology) { publisher in
      let message = BrokerMessage(body: [0], messageID: "waits")
      let tier = RetryLadder().tiers[0].queue(of: queue)
      try await publisher.publish(message, exchange: Topology.retryExchange, routingKey: tier)
      try await DeadLetterPublisher(queue: queue.name, publisher: publisher).publish(
        BrokerMessage(body: [0], messageID: "dead"),
        reason: "because",
        exchange: Topology.dispatchExchange,
        routingKey: queue.name,
        attempts: 1
      )
      try await eventually("it is back from the ladder") { try await broker.admin.depth(of: queue.name) == 1 }
      return (try await drain(queue.name), try await drain(Topology.deadQueue(of: queue.name)))
    }
    #expect(waiting.map(\.message.messageID) == ["waits"])
    #expect(dead.map(\.message.messageID) == ["dead"])
  }

  @Test(arguments: WorkQueue.allCases)
  func `each queue's dead letters are listed and redriven by its label, and no other's`(_ queue: WorkQueue)
    async throws
  {
    try await broker.withPublisher(topology) { publisher in
      for each in WorkQueue.allCases {
        try await DeadLetterPublisher(queue: each.name, publisher: publisher).publish(
          BrokerMessage(body: [0], messageID: "of-\(each.label)"),
          reason: "because",
          exchange: Topology.dispatchExchange,
          routingKey: each.name,
          attempts: 1
        )
      }
    }
    func letters(_ dead: DeadQueue) throws -> DeadLetters {
      DeadLetters(queue: dead, configuration: try broker.configuration(), logger: logger)
    }
    let list = try DeadListCommand.parse([queue.label])
    #expect(list.queues.map(\.origin) == [queue.name])
    #expect(ids(of: try await list.page(of: letters(list.queues[0])).lines) == ["of-\(queue.label)"])
    let redrive = try DeadRedriveCommand.parse([queue.label, "--all"])
    let dead = try letters(redrive.selection.queue)
    try await eventually("what was looked at is back") { try await dead.count() == 1 }
    #expect(try await dead.redrive(redrive.selection.wanted).moved == 1)
    for each in WorkQueue.allCases {
      #expect(try await drain(each.name).map(\.message.messageID) == (each == queue ? ["of-\(queue.label)"] : []))
    }
  }

  @Test func `a page is listed, with how many more there are`() async throws {
    try await deadLetter(7)
    let first = try await list("--limit", "3")
    #expect(ids(of: first) == ["m0", "m1", "m2"])
    #expect(first.first == "ingest: 7 dead-lettered in belfry.ingest.parked")
    #expect(first.last == "  4 more; see them with --skip 3")
    try await waitUntilGivenBack(7)
    let last = try await list("--limit", "3", "--skip", "6")
    #expect(ids(of: last) == ["m6"])
    #expect(last.count == 2)
    try await waitUntilGivenBack(7)
    #expect(try await list("--skip", "7").count == 1)
  }

  @Test func `what an earlier version dead-lettered is found, once, and goes back to work`() async throws {
    try await broker.withPublisher(formerTopology) { publisher in
      for number in 0..<3 {
        let message = DeadLetter.annotated(
          BrokerMessage(body: [0], messageID: "m\(number)"),
          reason: "because",
          queue: "belfry.ingest",
          exchange: "belfry.ingest",
          routingKey: "request",
          attempts: 1
        )
        try await publisher.publish(message, exchange: "", routingKey: "belfry.ingest.dead")
      }
    }
    #expect(try await letters.adoptFormer().moved == 3)
    #expect(try await letters.adoptFormer().moved == 0)
    #expect(ids(of: try await list()).sorted() == ["m0", "m1", "m2"])
    try await waitUntilGivenBack(3)
    #expect(try await letters.redrive(["m1", "no such id"]).moved == 1)
    try await waitUntilGivenBack(2)
    #expect(try await letters.redrive(nil).moved == 2)
    #expect(Set(try await drain("belfry.ingest").map(\.message.messageID)) == ["m0", "m1", "m2"])
    #expect(try await letters.count() == 0)
  }

  @Test func `what the broker gives up on is dead-lettered once, also where an earlier version's queue is still bound`()
    async throws
  {
    try await broker.admin.declare(formerTopology)
    try await broker.withPublisher(topology) { publisher in
      let event = BrokerMessage(body: Array("{}".utf8), messageID: "e")
      try await publisher.publish(event, exchange: Topology.ingestExchange, routingKey: Topology.eventKey)
    }
    let consumer = BrokerConsumer(
      configuration: try broker.configuration(),
      queue: Topology.ingestQueue,
      prefetch: 10,
      maximumBatch: 10,
      logger: logger
    )
    try await consumer.run { batches in
      for await batch in batches {
        for delivery in batch { consumer.reject(delivery, requeue: false) }
        return
      }
    }
    try await waitUntilGivenBack(1)
    #expect(try await broker.admin.depth(of: "belfry.ingest.dead") == 0)
    #expect(try await list().last?.contains("dead-lettered by the broker: rejected") == true)
    try await waitUntilGivenBack(1)
    // And it goes back as what it was: an event.
    #expect(try await letters.redrive(nil).moved == 1)
    let redriven = try #require(try await drain("belfry.ingest").first)
    #expect(redriven.routingKey == Topology.eventKey)
    // But for what a delivery says of itself on 3.10.
    #expect(redriven.message.headers.keys.allSatisfy { $0 == "x-delivery-count" })
  }

  @Test func `a message that the broker does not take stays, and keeps no other from going`() async throws {
    try await deadLetter(2)
    // Nobody is there to take requests.
    try await broker.admin.delete(Topology.ingestQueue)
    let refused = try await letters.redrive(nil)
    #expect(refused.moved == 0)
    #expect(refused.refused == 2)
    #expect(throws: CommandFailure.self) { try refused.check() }
    try await waitUntilGivenBack(2)
    try await broker.admin.declare(topology)
    #expect(try await letters.redrive(nil).moved == 2)
  }

  @Test func `those named are thrown away, or all, and are in no queue any more`() async throws {
    try await deadLetter(250)
    let named = try await letters.discard(["m1", "m249", "no such id"])
    #expect(named == (2, true))
    try await waitUntilGivenBack(248)
    #expect(!ids(of: try await list("--limit", "300")).contains { ["m1", "m249"].contains($0) })
    try await waitUntilGivenBack(248)
    #expect(try await letters.discard(nil) == (248, true))
    #expect(try await letters.count() == 0)
    #expect(try await drain(Topology.ingestQueue).isEmpty)
    #expect(try await letters.discard(nil) == (0, true))
  }

  private func discard(_ arguments: String..., answer: String? = nil) async throws -> CommandRun {
    let command = try DeadDiscardCommand.parse(["ingest"] + arguments)
    return await CommandRun.record(answer: answer) { try await command.discard(letters, on: $0) }
  }

  @Test func `who discards is asked first, and told what was not there`() async throws {
    try await deadLetter(3)
    let refused = try await discard("--all", answer: "n")
    #expect(refused.notes == "Throw away all of what is dead-lettered in belfry.ingest.parked, 3 now? [y/N] ")
    #expect(refused.failure == "Nothing was done." && refused.output.isEmpty)
    #expect(try await discard("m0").failure == "Nobody is there to be asked: say --yes.")
    #expect(try await letters.count() == 3)
    let named = try await discard("m1", "no such id", "m1", answer: "y")
    #expect(named.notes == "Throw away 2 of what is dead-lettered in belfry.ingest.parked? [y/N] ")
    #expect(named.lines == ["1 thrown away."])
    #expect(named.failure == "1 were not found among the dead-lettered messages")
    try await waitUntilGivenBack(2)
    #expect(ids(of: try await list()) == ["m0", "m2"])
    try await waitUntilGivenBack(2)
    let rest = try await discard("--all", "--yes", "--json")
    #expect(
      rest.output == #"{"queue":"ingest","discardedCount":2}"# + "\n" && rest.failure == nil && rest.notes.isEmpty
    )
    #expect(try await letters.count() == 0)
    // Nothing to be asked about.
    #expect(try await discard("--all").lines == ["0 thrown away."])
  }

  @Test func `no more of the oldest are thrown away than were asked about`() async throws {
    try await deadLetter(5)
    #expect(try await letters.discard(nil, oldest: 3) == (3, true))
    try await waitUntilGivenBack(2)
    #expect(ids(of: try await list()) == ["m3", "m4"])
  }

  @Test func `no further messages are taken after the deadline, and who asks is told`() async throws {
    try await deadLetter(3)
    let (count, isComplete) = try await letters.discard(nil, until: .now)
    #expect(count == 0 && !isComplete)
    let redriven = try await letters.redrive(nil, until: .now)
    #expect(redriven.moved == 0 && !redriven.isComplete)
    try await waitUntilGivenBack(3)
    let rest = try await letters.redrive(nil, until: .now + .seconds(60))
    #expect(rest.moved == 3 && rest.isComplete)
  }

  @Test func `no more is taken than is looked at`() async throws {
    try await deadLetter(5)
    var seen: [String] = []
    try await letters.look(atMost: 2) { message in
      seen.append(message.id)
      return true
    }
    #expect(seen == ["m0", "m1"])
    try await waitUntilGivenBack(5)
  }

  @Test func `messages of any kind are listed, shown and sent back, and none is lost`() async throws {
    var hostile = try HostileLetters(seed: 34, isSent: true)
    let messages = (0..<200).map { _ in hostile.next(largest: 5_000) }
    var deadLettered = 0
    try await broker.withPublisher(topology) { publisher in
      for message in messages {
        do throws(BrokerError) {
          try await publisher.publish(message, exchange: "", routingKey: Topology.deadQueue(of: Topology.ingestQueue))
          deadLettered += 1
        } catch {
          // It cannot be put on the wire, so nobody can have dead-lettered it.
          #expect([.invalidMessage, .messageTooLarge].contains(error.code))
        }
      }
    }
    #expect(deadLettered > 100)
    #expect(try await list("--limit", "1000").count == 1 + deadLettered)
    try await waitUntilGivenBack(deadLettered)
    var shown: [String] = []
    try await letters.look { message in
      shown.append(message.details)
      return true
    }
    #expect(shown.count == deadLettered)
    try await waitUntilGivenBack(deadLettered)
    let redriven = try await letters.redrive(nil)
    #expect(redriven.moved + redriven.refused == deadLettered)
    try await waitUntilGivenBack(redriven.refused)
    #expect(try await drain(Topology.ingestQueue).count == redriven.moved)
  }

  @Test func `there may be no such queue yet`() async throws {
    try await broker.admin.delete("belfry.ingest.parked")
    #expect(try await list() == ["ingest: no such queue yet; services declare it when they start"])
  }
}
