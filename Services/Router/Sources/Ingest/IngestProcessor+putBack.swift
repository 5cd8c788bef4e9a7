import Broker
import CatalogueVersions
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

  /// What no version has anything for: what a service accepted comes back, for another router may know it; anybody else's mistake is
  /// one. Only where this router cannot read the newest version, it does not know.
  func giveUp(_ entries: [BatchEntry<String>], of batch: inout IngestBatch, now: Date) async throws {
    var (postponed, lost, undated): ([BatchEntry<String>], [BatchEntry<String>], [BatchEntry<String>]) = ([], [], [])
    for entry in entries {
      let message = batch.deliveries[entry.index].message
      if let version = version(of: message), version > catalogues.current.number {
        let reason = "version \(version) of the catalogue accepted it, which the database does not have: \(entry.value)"
        lost.append(BatchEntry(index: entry.index, value: reason))
      } else if IngestDecoder.isAccepted(message) {
        postponed.append(entry)
      } else if catalogues.lag == nil {
        try await deadLetter(entry.index, of: &batch, reason: entry.value)
      } else if message.timestamp == nil {
        undated.append(entry)
      } else {
        postponed.append(entry)
      }
    }
    try await postpone(postponed, of: &batch, now: now)
    try await hold(lost, of: &batch, now: now)
    try await putBack(undated, of: &batch)
  }

  /// Postpones what waits for a version that others have, or that is lost and may be applied again: as long as it could be stored. The
  /// patience with other routers is not for it, since an outage uses that up, and a backup that is restored.
  func hold(_ entries: [BatchEntry<String>], of batch: inout IngestBatch, now: Date) async throws {
    try await postpone(entries, of: &batch, now: now, within: max(retention, versionSkewRetry.limit))
  }

  /// Postpones what another router may know what to do with, and dead-letters what nobody has known for too long.
  ///
  /// - Parameter limit: What is too long; nil is the patience.
  private func postpone(
    _ entries: [BatchEntry<String>],
    of batch: inout IngestBatch,
    now: Date,
    within limit: Duration? = nil
  ) async throws {
    let retry = VersionSkewRetry(limit: limit ?? versionSkewRetry.limit)
    var postponed: [BatchEntry<String>] = []
    for entry in entries {
      if retry.applies(to: batch.deliveries[entry.index].message, now: now) {
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
