public import Foundation
import Logging
import NotificationModel
import NotificationStore
import Synchronization

/// Other versions than the one in force: what an earlier one accepted may still be on its way.
extension CatalogueInForce {
  /// A version by its number, as this release reads it; 0 is the built-in catalogue. Nil if there is none, or it cannot be read.
  public func version(_ number: Int) async throws -> AppliedCatalogue? {
    let (known, history) = state.withLock { state -> (AppliedCatalogue??, Int) in
      if state.isKnown, state.current.number == number { return (state.current, state.history) }
      guard let index = state.others.firstIndex(where: { $0.number == number }) else {
        return (nil, state.history)
      }
      let entry = state.others.remove(at: index)
      state.others.append(entry)
      return (.some(entry.catalogue), state.history)
    }
    if let known { return known }
    guard let store else { return nil }
    let version: AppliedCatalogue?
    if number == 0 {
      version = AppliedCatalogue(try builtIn())
    } else {
      guard let stored = try await store.version(number) else { return nil }
      version = read(stored)
    }
    state.withLock { state in
      // Read before a backup was restored, it may be another by now.
      if state.history == history { Self.keep(version, of: number, in: &state.others) }
    }
    return version
  }

  /// The versions before the current one that know a name, or may know it, for each of the names: some of the newest, the newest first,
  /// and at last the oldest. A name that none knows has the built-in catalogue, which comes before the first.
  public func earlier(knowing names: Set<String>) async throws -> [String: [Int]] {
    let current = current.number
    guard let store, current > 0 else { return [:] }
    let known = try await store.versions(knowing: names, before: current, limit: Self.maximumEarlier)
    return Dictionary(uniqueKeysWithValues: names.map { ($0, known[$0] ?? [0]) })
  }

  /// The numbers of the versions that were in force at those times; 0 before the first.
  public func numbers(inForceAt times: [Date]) async throws -> [Int] {
    let current = current
    guard let store, let since = current.appliedAt, times.contains(where: { $0 < since }) else {
      return times.map { _ in current.number }
    }
    return try await store.numbers(inForceAt: times)
  }

  private func read(_ stored: CatalogueVersion) -> AppliedCatalogue? {
    do throws(CatalogueError) {
      let catalogue = try Catalogue(overrides: stored.text, channels: channels)
      return AppliedCatalogue(
        catalogue,
        number: stored.number,
        source: .version,
        appliedAt: stored.summary.appliedAt
      )
    } catch {
      logger.warning(
        "an older version of the catalogue cannot be read by this release",
        metadata: ["version": "\(stored.number)", "error": "\(error)"]
      )
      return nil
    }
  }

  static func keep(
    _ catalogue: AppliedCatalogue?,
    of number: Int,
    in others: inout [(number: Int, catalogue: AppliedCatalogue?)]
  ) {
    others.removeAll { $0.number == number }
    others.append((number, catalogue))
    if others.count > maximumOthers { others.removeFirst() }
  }
}
