import Broker
import BelfryJSON
import NotificationModel
import NotificationQueue
import TestSupport
import Testing

@testable import OperatorCLI

/// Whatever lies in a dead-letter queue, an operator can look at it and send it back: nothing ends the command, nothing steers
/// the terminal, nothing is lost.
@Suite(.timeLimit(.minutes(2))) struct DeadFuzzTests {
  private func delivery(_ message: BrokerMessage, tag: UInt64 = 1) -> BrokerDelivery {
    BrokerDelivery(
      message: message,
      exchange: Topology.deadExchange,
      routingKey: "",
      redelivered: false,
      deliveryCount: 0,
      tag: tag,
      generation: 1
    )
  }

  private func steers(_ text: String) -> Bool {
    text.unicodeScalars.contains { scalar in
      (scalar.properties.generalCategory == .control && scalar != "\n" && scalar != "\t")
        || scalar.properties.isBidiControl
    }
  }

  @Test func `any message is listed in one line and shown whole`() throws {
    var letters = try HostileLetters(seed: 31)
    var withoutReason = 0
    for _ in 0..<1_000 {
      let message = letters.next(largest: 5_000)
      let dead = DeadMessage(delivery(message))
      #expect(!dead.id.isEmpty)
      #expect(!dead.summary.contains { $0.isNewline } && !steers(dead.summary))
      #expect(dead.summary.hasPrefix(dead.id))
      #expect(!steers(dead.details))
      #expect(dead.details.contains("\nbody (\(message.body.count) bytes):\n"))
      let json = try JSONParser.parse(dead.json)
      #expect(json["id"]?.string == dead.id && json["headers"]?.members?.count == message.headers.count)
      #expect((json["body"] == nil) == (json["bodyBase64"] != nil))
      if let body = json["body"]?.string { #expect(Array(body.utf8) == message.body) }
      if dead.reason == "no reason given" { withoutReason += 1 }
    }
    #expect((25..<1_000).contains(withoutReason))
  }

  @Test func `any message goes back to its queue as it was, but for what dead-lettering added`() throws {
    var letters = try HostileLetters(seed: 32)
    var marked = 0
    for _ in 0..<1_000 {
      let message = letters.next(largest: 2_000)
      for queue in DeadQueue.allCases {
        let (redriven, exchange, key) = DeadLetter.redriven(message, into: queue.origin)
        if queue == .ingest {
          #expect(exchange == Topology.ingestExchange && [Topology.requestKey, Topology.eventKey].contains(key))
        } else {
          #expect(exchange == Topology.dispatchExchange && key == queue.origin)
        }
        #expect(redriven.messageID == message.messageID && redriven.type == message.type)
        #expect(redriven.headers.allSatisfy { $0.key.hasPrefix("x-") == false && message.headers[$0.key] != nil })
        guard redriven.body != message.body else { continue }
        // Only a dispatch message is written anew, to look up first what was delivered.
        let before = try QueueCoder.decode(DispatchMessage.self, from: message)
        let after = try QueueCoder.decode(DispatchMessage.self, from: redriven)
        #expect(!before.recheck && after.recheck)
        #expect(after.deliveries.map(\.notificationId) == before.deliveries.map(\.notificationId))
        #expect(after.deliveries.flatMap(\.targets).map(\.id) == before.deliveries.flatMap(\.targets).map(\.id))
        marked += 1
      }
    }
    #expect(marked > 0)
  }

  @Test func `what the broker refuses stays, and only that`() async throws {
    var letters = try HostileLetters(seed: 33)
    let parcels = (0..<500).map { number in
      let message = letters.next(largest: 200)
      return (
        delivery(message, tag: UInt64(number)), DeadTransfer.Parcel(message: message, exchange: "", routingKey: "")
      )
    }
    @Sendable func isRefused(_ message: BrokerMessage) -> Bool { message.body.count % 3 == 0 }
    var left = Set(parcels.map { $0.0.tag })
    var transfer = DeadTransfer()
    try await transfer.move(parcels) { parcel async throws(BrokerError) in
      if isRefused(parcel.message) { throw BrokerError(.invalidMessage, "no") }
    } moved: { delivery async throws(BrokerError) in
      left.remove(delivery.tag)
    }
    #expect(left == Set(parcels.filter { isRefused($0.1.message) }.map { $0.0.tag }))
    #expect(transfer.moved == parcels.count - left.count)
    #expect(transfer.refused == left.count && transfer.refused > 0)
  }
}
