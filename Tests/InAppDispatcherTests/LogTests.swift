import Broker
import Logging
import NotificationQueue
import TestSupport
import Testing

@testable import InAppDispatcher

@Suite struct LogTests {
  @Test func `line breaks from outside never reach a log line`() async throws {
    let recorder = LogRecorder()
    try await TestHub.run { hub in
      let consumer = RealtimeConsumer.queue(
        of: "node",
        shards: [0],
        configuration: try BrokerConfiguration(url: "amqp://127.0.0.1:1/"),
        interrupted: {},
        logger: .quiet
      )
      let service = RealtimeConsumer(consumer: consumer, server: hub.server, logger: recorder.logger)
      #expect(service.decode(BrokerMessage(body: [], type: "x\n2026-11-22 info: forged")) == nil)
      #expect(hub.server.statistics[.undecodable] == 1)
    }
    let entry = try #require(recorder.all.first)
    #expect(entry.text.contains("forged"))
    #expect(!entry.text.contains("\n"))
  }
}
