import Logging
import NotificationModel
import NotificationStore
import Retrying
public import ServiceLifecycle
import Synchronization

/// How it follows the versions in the database.
extension CatalogueInForce {
  /// Takes the newest version, if that is another than the current one.
  ///
  /// One that this release cannot read changes nothing: log and readiness say so. Nor does a database without versions, once one was in
  /// force here: it is being restored.
  public func refresh() async throws {
    guard let store else { return }
    let former = state.withLock(\.self)
    guard let newest = try await store.newestIdentity() else { return try hasNone(after: former) }
    let isPassed = state.withLock { state in
      (state.newest, state.emptySince) = (newest.number, nil)
      return newest == state.unreadable?.identity
    }
    if isPassed { return }
    guard newest != former.current.identity || !former.isKnown else { return passed(newest) }
    // Without this row it is a database that is being restored.
    guard let version = try await store.version(newest.number), version.identity == newest else { return }
    let isContinued = try await isContinued(former, by: newest, in: store)
    do throws(CatalogueError) {
      let catalogue = try Catalogue(overrides: version.text, channels: channels)
      take(
        AppliedCatalogue(catalogue, number: newest.number, source: .version, appliedAt: newest.appliedAt),
        after: former,
        isContinued: isContinued
      )
    } catch {
      refuse(newest, because: error)
    }
  }

  /// The database has no version. That is believed only where none was ever in force: else requests would be judged by foreign types
  /// until its rows are there again.
  private func hasNone(after former: State) throws {
    guard former.isKnown, former.current.number > 0 else {
      state.withLock { $0.newest = 0 }
      return take(AppliedCatalogue(try builtIn()), after: former)
    }
    let isNews = state.withLock { state in
      state.newest = 0
      guard state.emptySince == nil else { return false }
      state.emptySince = .now
      return true
    }
    guard isNews else { return }
    logger.error(
      "the database has no version of the catalogue any more; what was in force stays so here",
      metadata: [
        "inForce": "\(former.current)",
        "remedy": "if it is being restored, nothing; if it is to begin anew, restart this service",
      ]
    )
  }

  /// Whether the version that was current is still there, before a newer one.
  private func isContinued(
    _ former: State,
    by newest: CatalogueVersion.Identity,
    in store: any CatalogueVersionReading
  ) async throws -> Bool {
    guard former.isKnown, let identity = former.current.identity else { return true }
    guard newest.number > identity.number else { return false }
    return try await store.identity(of: identity.number) == identity
  }

  func builtIn() throws(CatalogueError) -> Catalogue { try Catalogue(channels: channels) }

  /// - Parameters:
  ///   - former: What was so before the database was asked: what was seen earlier puts nothing older in the place of what another has
  ///     taken meanwhile.
  ///   - isContinued: False where the versions before are not those that there were.
  private func take(_ new: AppliedCatalogue, after former: State, isContinued: Bool = true) {
    let revision: Int? = state.withLock { state in
      guard state.revision == former.revision || new.number > state.current.number else { return nil }
      // Another look has taken it meanwhile.
      if state.isKnown, state.current.isSame(as: new) {
        state.unreadable = nil
        return nil
      }
      if !isContinued {
        state.others = []
        state.history += 1
      } else if state.isKnown {
        Self.keep(state.current, of: state.current.number, in: &state.others)
      }
      state.others.removeAll { $0.number == new.number }
      (state.current, state.isKnown, state.unreadable) = (new, true, nil)
      state.revision += 1
      return state.revision
    }
    guard let revision else { return }
    for observer in observers.withLock(\.self) { observer(revision, new) }
    state.withLock { state in
      if state.observed.revision < revision { state.observed = (revision, new) }
    }
    logger.notice("the catalogue in force", metadata: ["catalogue": "\(new)", "types": "\(new.catalogue.types.count)"])
    if !isContinued {
      logger.warning(
        "earlier versions of the catalogue are gone, or have other content: a backup was restored",
        metadata: ["before": "\(former.current)", "now": "\(new)"]
      )
    }
  }

  /// The version in force is the current one: one that could not be read is not in force any more.
  private func passed(_ newest: CatalogueVersion.Identity) {
    state.withLock { state in
      if state.isKnown, state.current.identity == newest { state.unreadable = nil }
    }
  }

  private func refuse(_ identity: CatalogueVersion.Identity, because error: CatalogueError) {
    let (kept, isKnown) = state.withLock { state in
      state.unreadable = Unreadable(identity: identity, problem: String("\(error)".prefix(300)))
      return (state.current, state.isKnown)
    }
    logger.error(
      isKnown
        ? "a new version of the catalogue cannot be read by this release; what was in force stays so here"
        : "the version of the catalogue in force cannot be read by this release; nothing is done until one can",
      metadata: [
        "version": "\(identity.number)", "inForce": isKnown ? "\(kept)" : "none", "error": "\(error)",
        "remedy": "update this service, or apply a version that it can read (belfry catalogue rollback)",
      ]
    )
  }
}

extension AppliedCatalogue {
  /// Which version it is; nil if it is none.
  var identity: CatalogueVersion.Identity? {
    appliedAt.map { CatalogueVersion.Identity(number: number, appliedAt: $0) }
  }
}

extension CatalogueInForce: Service {
  /// Looks for newer versions until the service stops. A database that does not answer changes nothing.
  public func run() async throws {
    guard followsVersions else { return try await gracefulShutdown() }
    var isFailing = false
    while !Task.isShuttingDownGracefully, !Task.isCancelled {
      do {
        try await refresh()
        isFailing = false
      } catch  where error.isCancellation {
        return
      } catch {
        if !isFailing { logger.warning("the catalogue's version cannot be asked for", metadata: ["error": "\(error)"]) }
        isFailing = true
      }
      state.withLock { $0.hasAsked = true }
      do {
        try await cancelWhenGracefulShutdown { try await Task.sleep(for: Self.interval) }
      } catch {
        return  // the service stops
      }
    }
  }
}
