import Broker
import CatalogueVersions
import Foundation
import NotificationQueue

/// By which version of the catalogue a message goes: by the current one, once a newer one was looked for; if that has nothing for it, by
/// the one that accepted it; then by earlier ones that know what it is about, the newest first.
///
/// Messages of senders who publish straight to the queue were accepted by nobody. They go by the current version, or by the one that
/// was in force when they were sent.
extension IngestProcessor {
  /// Takes a later version before anything is decided, if a gateway has it already: once for all of the batch.
  ///
  /// - Returns: Why the database could not be asked.
  func catchUp(with batch: IngestBatch) async -> (any Error)? {
    let current = catalogues.current.number
    let isAhead = batch.pending.contains { version(of: batch.deliveries[$0].message).map { $0 > current } ?? false }
    guard isAhead else { return nil }
    do {
      try await catalogues.refresh()
      return nil
    } catch {
      return error
    }
  }

  /// The current version; for a repeated attempt that of the first, unless a later one accepted some of the batch. A rule that has
  /// another name meanwhile would tell of the same event twice.
  func current(for batch: inout IngestBatch) -> AppliedCatalogue {
    let accepted = batch.pending.compactMap { version(of: batch.deliveries[$0].message) }.max() ?? 0
    if let first = batch.version, accepted <= first.number { return first }
    batch.version = catalogues.current
    return catalogues.current
  }

  /// The version by which a service accepted the message; 0 is the built-in catalogue. Nil if nobody did, or nobody knows, or none is
  /// followed here.
  func version(of message: BrokerMessage) -> Int? {
    guard catalogues.followsVersions, IngestDecoder.isAccepted(message) else { return nil }
    return message.catalogueVersion
  }

  /// Messages that must wait with why, since a later version accepted them that this router has not: the current one may know their
  /// types by other words. A version that the database has not either is lost, as when a backup was restored, and nobody waits for it.
  ///
  /// - Parameter isAsked: Whether the database has said what it has.
  func ahead(of current: AppliedCatalogue, in batch: IngestBatch, isAsked: Bool) -> [BatchEntry<String>] {
    batch.pending.compactMap { index in
      guard let version = version(of: batch.deliveries[index].message), version > current.number,
        !isAsked || version <= catalogues.newest
      else { return nil }
      let reason = "version \(version) of the catalogue accepted it; this router has version \(current.number)"
      return BatchEntry(index: index, value: reason)
    }
  }

  /// Works on what the current version has nothing for, by others.
  func goOn(
    with left: [BatchEntry<String>],
    of batch: inout IngestBatch,
    after current: AppliedCatalogue,
    now: Date
  ) async throws {
    guard !left.isEmpty else { return }
    var left = left
    // Whoever has applied a version may have sent something before this router's next look.
    try await catalogues.refresh()
    let newest = catalogues.current
    if newest.number != current.number || newest.appliedAt != current.appliedAt {
      left = try await process(left, of: &batch, by: newest, now: now)
    }
    let accepting = try await accepting(left, of: batch, before: newest.number, now: now)
    try await follow(accepting, &left, of: &batch, now: now)
    let knowing = try await knowing(left, of: batch)
    try await follow(knowing, &left, of: &batch, now: now)
    try await giveUp(left, of: &batch, now: now)
  }

  /// - Returns: Those that the version has nothing for either, with why the current one had not.
  private func process(
    _ entries: [BatchEntry<String>],
    of batch: inout IngestBatch,
    by version: AppliedCatalogue,
    now: Date
  ) async throws -> [BatchEntry<String>] {
    var left: [BatchEntry<String>] = []
    try await process(entries.map(\.index), of: &batch, by: resolver(version, now: now), leaving: &left)
    let indices = Set(left.map(\.index))
    return entries.filter { indices.contains($0.index) }
  }

  /// Tries messages by their versions, one after the other; what none of them has anything for stays.
  private func follow(
    _ versions: [Int: [Int]],
    _ left: inout [BatchEntry<String>],
    of batch: inout IngestBatch,
    now: Date
  ) async throws {
    var next = left
    left = []
    var round = 0
    while !next.isEmpty {
      var earlier = EarlierMessages()
      for entry in next {
        if let tried = versions[entry.index], tried.indices.contains(round) {
          earlier.add(entry, of: tried[round])
        } else {
          left.append(entry)
        }
      }
      next = []
      for (number, entries) in earlier.versions {
        guard let version = try await catalogues.version(number) else {
          next += entries
          continue
        }
        next += try await process(entries, of: &batch, by: version, now: now)
      }
      round += 1
    }
  }

  /// For each message the version that accepted it, or that was in force when it was sent, if that is an earlier one.
  private func accepting(
    _ left: [BatchEntry<String>],
    of batch: IngestBatch,
    before current: Int,
    now: Date
  ) async throws -> [Int: [Int]] {
    var versions: [Int: [Int]] = [:]
    var (foreign, sent): ([Int], [Date]) = ([], [])
    for entry in left {
      let message = batch.deliveries[entry.index].message
      if let version = version(of: message) {
        versions[entry.index] = [version]
      } else if !IngestDecoder.isAccepted(message) {
        foreign.append(entry.index)
        // Who does not say when is believed to have sent it a moment ago; nobody has sent it before all memory.
        let earliest = now - retention / .seconds(1)
        sent.append(max(message.timestamp ?? now - versionSkewRetry.limit / .seconds(1), earliest))
      }
    }
    for (index, version) in zip(foreign, try await catalogues.numbers(inForceAt: sent)) { versions[index] = [version] }
    return versions.filter { $0.value[0] < current }
  }

  /// So many names are searched for in a batch. What has another is postponed, and comes again.
  private static let maximumNames = 20

  /// For each message that a service accepted, the earlier versions that know what it is about, the newest first. That serves where the
  /// accepting version is not known, is lost, or cannot be read by this release.
  private func knowing(_ left: [BatchEntry<String>], of batch: IngestBatch) async throws -> [Int: [Int]] {
    var names: [Int: String] = [:]
    for entry in left {
      let delivery = batch.deliveries[entry.index]
      guard IngestDecoder.isAccepted(delivery.message) else { continue }
      names[entry.index] = IngestDecoder.name(in: delivery.message, routingKey: delivery.routingKey)
    }
    guard !names.isEmpty else { return [:] }
    let versions = try await catalogues.earlier(knowing: Set(Set(names.values).sorted().prefix(Self.maximumNames)))
    return names.compactMapValues { versions[$0] }
  }
}
