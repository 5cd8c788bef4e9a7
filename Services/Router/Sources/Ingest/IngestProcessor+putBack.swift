import Broker
import Foundation
import Logging
import NotificationModel
import NotificationQueue
import Retrying

/// What goes back to the queue, for this router or another.
extension IngestProcessor {
  /// Puts messages back with an id. Each one's own result counts: what the broker has confirmed is done, whatever became of
  /// its neighbours, for a second stamp would make it another request.
  func stamp(
    _ unstamped: [BatchEntry<IngestKind>],
    of batch: inout IngestBatch,
    by resolver: IngestResolver
  ) async throws {
    guard !unstamped.isEmpty else { return }
    var messages: [(message: BrokerMessage, id: RequestID, kind: IngestKind)] = []
    for entry in unstamped {
      messages.append(
        (batch.deliveries[entry.index].message, batch.stamp(of: entry.index, now: resolver.now), entry.value)
      )
    }
    let failures = await publisher.stamp(messages, catalogueVersion: resolver.catalogueVersion)
    try await confirm(unstamped.map(\.index), failures, of: &batch)
  }

  /// Postpones what another router may know what to do with, and dead-letters what nobody has known for too long.
  func postpone(_ entries: [BatchEntry<String>], of batch: inout IngestBatch, now: Date) async throws {
    var postponed: [BatchEntry<String>] = []
    for entry in entries {
      if versionSkewRetry.applies(to: batch.deliveries[entry.index].message, now: now) {
        postponed.append(entry)
      } else {
        try await deadLetter(entry.index, of: &batch, reason: entry.value)
      }
    }
    try await putBack(postponed, of: &batch)
  }

  /// Puts messages back that this router's catalogue does not know, for those who may know them by then.
  private func putBack(_ postponed: [BatchEntry<String>], of batch: inout IngestBatch) async throws {
    guard let first = postponed.first else { return }
    let indices = postponed.map(\.index)
    let pause = versionSkewRetry.pause
    logger.notice(
      "messages wait for a catalogue that knows them",
      metadata: ["messages": "\(indices.count)", "seconds": "\(pause / .seconds(1))", "reason": "\(first.value)"]
    )
    let failures = await publisher.postpone(indices.map { batch.deliveries[$0] }, for: pause)
    metrics?.postponed(failures.count { $0 == nil })
    try await confirm(indices, failures, of: &batch)
  }

  /// Messages that were put back are done, one by one; what cannot be published again is dead-lettered.
  private func confirm(_ indices: [Int], _ failures: [BrokerError?], of batch: inout IngestBatch) async throws {
    done(indices.indices.filter { failures[$0] == nil }.map { indices[$0] }, of: &batch)
    for (index, failure) in zip(indices, failures) {
      guard let failure, [.invalidMessage, .messageTooLarge].contains(failure.code) else { continue }
      try await deadLetter(index, of: &batch, reason: "invalid: \(failure)")
    }
    if let failure = failures.lazy.compactMap({ $0 }).first(where: { $0.willPass || $0.isCancellation }) {
      throw failure
    }
  }
}
