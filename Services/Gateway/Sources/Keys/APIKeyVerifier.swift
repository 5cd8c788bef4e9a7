import Authentication
import Foundation
import Logging
import NotificationStore
import Postgres
import ServiceLifecycle
import Synchronization

/// Knows services by their API keys. As a service it also writes down when keys were used last.
///
/// A valid key is remembered for 15 seconds from the moment before it was looked up, so a revoked one is refused everywhere
/// that much later; one that is not valid for five, so that repeating it does not reach the database.
final class APIKeyVerifier: Sendable {
  private struct Entry {
    /// Nil for what is no valid key.
    let key: (id: APIKeyID, principal: Principal)?
    let until: ContinuousClock.Instant
  }

  private struct State {
    /// Apart, so that those who try keys push no valid one out.
    var valid: [[UInt8]: Entry] = [:]
    var refused: [[UInt8]: Entry] = [:]
    var lookups: [[UInt8]: Task<Entry, any Error>] = [:]
    /// Of keys that have not been valid before.
    var unknownKeys = UnknownKeyLimiter()
    var uses: [APIKeyID: Date] = [:]
  }

  static let validFor = Duration.seconds(15)
  private static let refusedFor = Duration.seconds(5)
  private static let maximumEntries = 10_000
  private static let notingInterval = Duration.seconds(20)

  private let store: APIKeyStore
  private let now: @Sendable () -> ContinuousClock.Instant
  private let clock: @Sendable () -> Date
  private let logger: Logger
  private let state = Mutex(State())

  /// - Parameters:
  ///   - now: By which keys are remembered.
  ///   - clock: What time it is, for when keys were used.
  init(
    store: APIKeyStore,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    clock: @escaping @Sendable () -> Date = { Date.now },
    logger: Logger
  ) {
    self.store = store
    self.now = now
    self.clock = clock
    self.logger = logger
  }

  /// Whom the key speaks for; nil if it is unknown or revoked.
  ///
  /// - Parameter admit: Is asked before a key that has not been valid before is looked up; throws if it may not be.
  /// - Throws: What `admit` throws; `PostgresError` or 503 if it cannot be known.
  func verify(_ text: String, admit: () throws -> Void = {}) async throws -> Principal? {
    guard let hash = APIKey.hash(of: text) else { return nil }
    var entry = state.withLock { $0.valid[hash] ?? $0.refused[hash] }
    if entry.map({ $0.until <= now() }) ?? true {
      entry = try await lookup(hash, admit: admit).value
      // What was true so long ago may not be any more.
      if let entry, entry.until <= now() { throw Problem.unavailable("the database is slow") }
    }
    guard let key = entry?.key else { return nil }
    let time = clock()
    state.withLock { $0.uses[key.id] = time }
    return key.principal
  }

  /// Writes down when keys were used since the last time.
  func noteUses() async {
    let uses = state.withLock { state in
      defer { state.uses = [:] }
      return state.uses
    }
    do {
      try await store.note(uses)
    } catch {
      logger.warning("uses of API keys could not be written down, trying again", metadata: ["error": "\(error)"])
      state.withLock { $0.uses.merge(uses, uniquingKeysWith: max) }
    }
  }

  /// One task for all who wait for the same key: a caller who goes away must not take the others' answer along.
  private func lookup(_ hash: [UInt8], admit: () throws -> Void) throws -> Task<Entry, any Error> {
    try state.withLock { state in
      if let task = state.lookups[hash] { return task }
      // A key in use is looked up again and again, and never waits for what others try.
      let isUnknown = state.valid[hash] == nil
      if isUnknown {
        guard state.unknownKeys.hasRoom else {
          throw Problem.unavailable("too many unknown API keys at once", retryAfter: 1)
        }
        try admit()
        state.unknownKeys.come()
      }
      // Nobody's child, for it answers several; it ends with its one query, which has a timeout.
      let task = Task { try await self.look(up: hash, isUnknown: isUnknown) }
      state.lookups[hash] = task
      return task
    }
  }

  private func look(up hash: [UInt8], isUnknown: Bool) async throws -> Entry {
    let asked = now()
    if isUnknown { await turn() }
    defer {
      let next = state.withLock { state in
        state.lookups[hash] = nil
        return isUnknown ? state.unknownKeys.leave() : nil
      }
      next?.resume()
    }
    let start = now()
    if isUnknown, start - asked > UnknownKeyLimiter.patience {
      throw Problem.unavailable("too many unknown API keys at once", retryAfter: 1)
    }
    guard let (id, scopes) = try await store.valid(hash: hash) else {
      let entry = Entry(key: nil, until: start + Self.refusedFor)
      state.withLock { state in
        state.valid[hash] = nil
        Self.keep(entry, of: hash, in: &state.refused, at: start)
      }
      return entry
    }
    let principal = Principal(
      userID: nil,
      subject: "key:\(id)",
      roles: [.service],
      // What a later version allows is not allowed here.
      scopes: Set(scopes.compactMap(Scope.init(rawValue:)))
    )
    let entry = Entry(key: (id, principal), until: start + Self.validFor)
    state.withLock { state in
      state.refused[hash] = nil
      Self.keep(entry, of: hash, in: &state.valid, at: start)
    }
    return entry
  }

  /// Waits for one of the few lookups of unknown keys. Nobody cancels it.
  private func turn() async {
    await withCheckedContinuation { continuation in
      if state.withLock({ $0.unknownKeys.begins(continuation) }) { continuation.resume() }
    }
  }

  private static func keep(
    _ entry: Entry,
    of hash: [UInt8],
    in entries: inout [[UInt8]: Entry],
    at now: ContinuousClock.Instant
  ) {
    if entries.count >= maximumEntries {
      entries = entries.filter { $0.value.until > now }
      // So many at once: looking through them for each would cost more than starting afresh.
      if entries.count > maximumEntries / 2 { entries.removeAll(keepingCapacity: true) }
    }
    entries[hash] = entry
  }
}

extension APIKeyVerifier: Service {
  func run() async throws {
    while !Task.isShuttingDownGracefully, !Task.isCancelled {
      // Either way what there is is written down.
      try? await cancelWhenGracefulShutdown { try await Task.sleep(for: Self.notingInterval) }
      await noteUses()
    }
  }
}
