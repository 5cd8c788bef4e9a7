import Broker
import Logging
import Retrying
import ServiceFaults
import ServiceLifecycle

/// Consumes `belfry.ingest`: takes what has arrived as one batch, routes it, and only then acknowledges it.
///
/// A crash at any point leads to redelivery; the repetition finds what is stored and doubles nothing.
struct IngestWorker: Service {
  let consumer: any MessageConsumer
  let processor: IngestProcessor
  let faults: ServiceFaultWatch
  let maximumTransaction: Int
  let logger: Logger
  var metrics: RouterMetrics?

  func run() async throws {
    try await withGracefulShutdownHandler {
      try await consumer.run { batches in
        for await deliveries in batches {
          let start = metrics.map { _ in ContinuousClock.now }
          let goesOn = await deliveries.withSpan {
            await finish(IngestBatch(deliveries: deliveries, limit: maximumTransaction))
          }
          guard goesOn else { return }
          if let start { metrics?.finished(after: .now - start) }
        }
      }
    } onGracefulShutdown: {
      consumer.stop()
    }
  }

  /// Works on a batch until each message is routed or dead-lettered; false if the service stops first. What is unfinished then
  /// stays unacknowledged.
  private func finish(_ batch: IngestBatch) async -> Bool {
    var batch = batch
    var backoff = Backoff()
    while !batch.pending.isEmpty {
      // The broker hands out anew what came over a connection that is gone.
      batch.finish(batch.pending.filter { !consumer.isCurrent(batch.deliveries[$0]) })
      do {
        try await processor.process(&batch)
        faults.passed()
      } catch {
        let remedy = batch.remedy(after: error)
        metrics?.failed(remedy)
        switch remedy {
        case .stop: return false
        case .wait: guard await wait(&backoff, because: error, of: batch) else { return false }
        case .split:
          logger.warning(
            "routing failed, trying less at once",
            metadata: ["messages": "\(batch.pending.count)", "error": "\(error)"]
          )
          for part in batch.parts { guard await finish(part) else { return false } }
          return true
        case .deadLetter:
          logger.error("message cannot be routed and is parked", metadata: ["error": "\(String(reflecting: error))"])
          guard await deadLetter(&batch, reason: "routing failed: \(error)") else { return false }
        }
      }
    }
    return true
  }

  /// Dead-letters the one message that is left, however long that takes; false if the service stops first.
  private func deadLetter(_ batch: inout IngestBatch, reason: String) async -> Bool {
    var backoff = Backoff()
    while let index = batch.pending.first {
      do {
        try await processor.deadLetter(index, of: &batch, reason: reason)
        faults.passed()
      } catch  where error.isCancellation {
        return false
      } catch  where error.willPass {
        guard await wait(&backoff, because: error, of: batch) else { return false }
      } catch {
        // Not even a bare copy can be published: the broker itself moves the original.
        logger.error("message is dead-lettered by the broker", metadata: ["error": "\(error)", "reason": "\(reason)"])
        consumer.reject(batch.deliveries[index], requeue: false)
        metrics?.deadLettered()
        batch.finish([index])
      }
    }
    return true
  }

  /// Waits for the next attempt; false if the service stops first.
  private func wait(_ backoff: inout Backoff, because error: any Error, of batch: IngestBatch) async -> Bool {
    if let fault = ServiceFault(error) {
      faults.met(fault, error)
    } else {
      logger.warning(
        "routing failed, trying again",
        metadata: ["messages": "\(batch.pending.count)", "error": "\(error)"]
      )
    }
    do {
      try await backoff.pause()
      return true
    } catch {
      return false  // the service stops; the broker keeps the messages
    }
  }
}
