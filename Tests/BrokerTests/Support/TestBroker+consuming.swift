import Broker
import Foundation
import Logging
import TestSupport

extension TestBroker {
  func consumer(
    _ queue: String,
    topology: BrokerTopology? = nil,
    prefetch: Int = 100,
    maximumBatch: Int = 50,
    logger: Logger = .quiet,
    configuration change: (inout BrokerConfiguration) -> Void = { _ in },
    reconnected: (@Sendable () -> Void)? = nil
  ) throws -> BrokerConsumer {
    BrokerConsumer(
      configuration: try configuration(change),
      topology: topology ?? BrokerTopology(queues: [.quorum(queue)]),
      queue: queue,
      prefetch: prefetch,
      maximumBatch: maximumBatch,
      reconnected: reconnected,
      logger: logger
    )
  }

  /// Consumes and acknowledges until `count` messages have come.
  func receive(_ count: Int, from queue: String, topology: BrokerTopology? = nil) async throws -> [BrokerDelivery] {
    let consumer = try consumer(queue, topology: topology)
    return try await withDeadline {
      var received: [BrokerDelivery] = []
      try await consumer.run { batches in
        if count == 0 { return }
        for await batch in batches {
          received += batch
          consumer.acknowledge(batch)
          if received.count >= count { return }
        }
      }
      return received
    }
  }
}

/// A name no other test uses.
func unique(_ name: String) -> String { "\(name)-\(UUID().uuidString.prefix(8))" }

/// A small message that says which it is.
func numbered(_ number: Int) -> BrokerMessage { BrokerMessage(body: Array(String(number).utf8)) }

extension BrokerDelivery {
  var text: String { String(decoding: message.body, as: UTF8.self) }
}
