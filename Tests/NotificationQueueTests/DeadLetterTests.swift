import Broker
import NotificationQueue
import Testing

@Suite struct DeadLetterTests {
  private let original = BrokerMessage(
    body: [1, 2, 3],
    messageID: "id",
    contentType: "application/json",
    type: "belfry.push",
    isPersistent: false,
    expiration: .seconds(5),
    headers: ["traceparent": "00-a-b-01"]
  )

  private func deadLettered(_ reason: String) -> BrokerMessage {
    DeadLetter.annotated(
      original,
      reason: reason,
      queue: "belfry.push",
      exchange: "belfry.dispatch",
      routingKey: "belfry.push",
      attempts: 6
    )
  }

  @Test func `a dead-lettered message stays whole and says why and whence`() {
    let message = deadLettered("gave up: INTERNAL")
    #expect(message.body == original.body)
    #expect(message.messageID == "id")
    #expect(message.type == "belfry.push")
    #expect(message.headers["traceparent"] == "00-a-b-01")
    #expect(message.headers[DeadLetter.reasonHeader] == "gave up: INTERNAL")
    #expect(message.headers[DeadLetter.originHeader] == "belfry.push")
    #expect(message.headers[DeadLetter.exchangeHeader] == "belfry.dispatch")
    #expect(message.headers[DeadLetter.routingKeyHeader] == "belfry.push")
    #expect(message.headers[DeadLetter.attemptsHeader] == 6)
    #expect(message.headers[DeadLetter.timeHeader]?.stringValue?.hasSuffix("Z") == true)
  }

  @Test func `a dead-lettered message survives a restart and never expires`() {
    let message = deadLettered("x")
    #expect(message.isPersistent)
    #expect(message.expiration == nil)
  }

  @Test func `a reason of any length fits into a header`() {
    #expect(
      deadLettered(String(repeating: "x", count: 5_000)).headers[DeadLetter.reasonHeader]?.stringValue?.count == 1_000
    )
  }

  @Test func `a redriven message is free of what dead-lettering and the broker added`() {
    var message = deadLettered("x")
    for header in ["x-death", "x-first-death-queue", "x-first-death-reason", "x-delivery-count"] {
      message.headers[header] = "added"
    }
    let redriven = DeadLetter.redriven(message, into: "belfry.push")
    #expect(redriven.message.headers == ["traceparent": "00-a-b-01"])
    #expect(redriven.message.body == original.body)
    #expect(redriven.message.messageID == "id")
    #expect(redriven.exchange == "belfry.dispatch")
    #expect(redriven.routingKey == "belfry.push")
  }

  @Test func `a redriven dispatch message looks outcomes up first, whoever dead-lettered it`() throws {
    var dispatch = try TestMessage.dispatch()
    dispatch.recheck = false
    let redriven = DeadLetter.redriven(BrokerMessage(body: QueueCoder.encode(dispatch)), into: "belfry.email")
    dispatch.recheck = true
    #expect(redriven.message.body == QueueCoder.encode(dispatch))
  }

  @Test func `a request and an event go back under their own keys, as we noted or as the broker did`() {
    func key(_ headers: [String: BrokerValue]) -> String {
      DeadLetter.redriven(BrokerMessage(body: [], headers: headers), into: "belfry.ingest").routingKey
    }
    func death(_ queue: String, _ key: BrokerValue) -> BrokerValue {
      ["queue": .string(queue), "reason": "delivery_limit", "routing-keys": [key]]
    }
    #expect(key([DeadLetter.routingKeyHeader: "event"]) == "event")
    #expect(key([DeadLetter.routingKeyHeader: "request"]) == "request")
    #expect(key(["x-death": [death("belfry.ingest", "event")]]) == "event")
    #expect(key(["x-death": [death("another", "event"), death("belfry.ingest", "request")]]) == "request")
    // Nobody knows, or somebody made it up: a request is evaluated most strictly.
    #expect(key([:]) == "request")
    #expect(key(["x-death": ["?", death("belfry.ingest", .null)]]) == "request")
    #expect(key([DeadLetter.routingKeyHeader: "elsewhere"]) == "request")
  }
}
