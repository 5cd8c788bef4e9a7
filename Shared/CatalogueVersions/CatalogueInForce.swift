public import Logging
public import NotificationModel
import NotificationStore
import Retrying
public import ServiceLifecycle
import Synchronization

/// The catalogue by which a process works: one that a setting gives, or the newest version in the database, which it follows
/// while it runs.
///
/// Whoever works by it asks for ``current`` once for each request or batch, and goes by that to the end.
public final class CatalogueInForce: Sendable {
  /// A version that this release cannot read.
  struct Unreadable: Equatable {
    var number: Int
    /// The first thing that is wrong with it.
    var problem: String
  }

  private struct State {
    var current: AppliedCatalogue
    /// Whether the database has said which version is in force, or a setting has.
    var isKnown: Bool
    /// Whether the database was asked, with whatever success.
    var hasAsked = false
    /// Counts what has been in force here.
    var revision = 0
    /// What all observers go by, of which operators are told.
    var observed: (revision: Int, catalogue: AppliedCatalogue)
    var unreadable: Unreadable?
    /// Versions that were asked for by number; nil cannot be read. The last one was used last.
    var others: [(number: Int, catalogue: AppliedCatalogue?)] = []
  }

  /// Versions that are kept beside the current one, whose memory is bounded by that.
  private static let maximumOthers = 8
  /// Between two looks for a newer version. A look reads one entry of a primary key's index: fifty processes ask fifty times a
  /// second, of which PostgreSQL answers some ten thousand on a core. So it costs half a percent of one, and a version is in force
  /// everywhere within a second and the time that it takes to read it.
  public static let interval = Duration.seconds(1)

  private let channels: [any RoutingChannel]
  private let store: (any CatalogueVersionReading)?
  private let logger: Logger
  private let state: Mutex<State>
  private let observers = Mutex<[@Sendable (Int, AppliedCatalogue) -> Void]>([])

  /// One that stays as it is.
  public init(_ catalogue: AppliedCatalogue) {
    channels = catalogue.catalogue.channels
    store = nil
    logger = Logger(label: "belfry.catalogue") { _ in SwiftLogNoOpLogHandler() }
    state = Mutex(State(current: catalogue, isKnown: true, observed: (0, catalogue)))
  }

  public convenience init(_ catalogue: Catalogue) { self.init(AppliedCatalogue(catalogue)) }

  /// The file's, which wins over whatever the database has; without one, that which the database says once it is asked.
  ///
  /// - Parameters:
  ///   - file: As the setting names it; empty is none.
  ///   - channels: Those that there are.
  /// - Throws: ``CatalogueError`` of the file.
  public init(
    file: String,
    channels: [any RoutingChannel] = Channel.routing,
    store: any CatalogueVersionReading,
    logger: Logger
  ) throws(CatalogueError) {
    let text: String? = try file.isEmpty ? nil : Catalogue.text(ofFile: file)
    let catalogue: Catalogue
    if let text {
      catalogue = try Catalogue(text: text, ofFile: file, channels: channels)
    } else {
      catalogue = try Catalogue(channels: channels)
    }
    Catalogue.logFindings(inFile: file, channels: channels, to: logger)
    self.channels = channels
    self.store = file.isEmpty ? store : nil
    self.logger = logger
    let current = AppliedCatalogue(catalogue, source: file.isEmpty ? .builtIn : .file(file), text: text)
    state = Mutex(State(current: current, isKnown: !file.isEmpty, observed: (0, current)))
  }

  /// What is in force here, as far as it is known: see ``isKnown``.
  public var current: AppliedCatalogue { state.withLock(\.current) }

  /// False from the start until the database has said what is in force: until then nothing may be judged, for ``current`` is
  /// only the built-in one.
  public var isKnown: Bool { state.withLock(\.isKnown) }

  /// Whether versions are followed.
  public var followsVersions: Bool { store != nil }

  /// What is in force, with a number that grows each time it becomes another.
  public var revised: (revision: Int, catalogue: AppliedCatalogue) { state.withLock { ($0.revision, $0.current) } }

  /// Calls this each time something else is in force, before ``refresh()`` returns. Several may be called at once: the highest
  /// revision counts.
  public func observe(_ observer: @escaping @Sendable (_ revision: Int, _ catalogue: AppliedCatalogue) -> Void) {
    observers.withLock { $0.append(observer) }
  }

  /// Why the process is not ready; nil if it is.
  public var problem: String? {
    state.withLock { state in
      guard !state.isKnown else { return nil }
      guard let unreadable = state.unreadable else { return "catalogue: not known yet" }
      return "catalogue: version \(unreadable.number) cannot be read by this release: \(unreadable.problem)"
    }
  }

  /// What is in force, for operators: `version 7`; also that a newer one cannot be read.
  public var summary: String {
    state.withLock { state in
      guard state.isKnown else { return "not known yet" }
      let inForce = state.observed.catalogue
      guard let unreadable = state.unreadable else { return "\(inForce)" }
      return "\(inForce); version \(unreadable.number) cannot be read by this release: \(unreadable.problem)"
    }
  }

  // MARK: Following

  /// Takes the newest version, if that is another than the current one.
  ///
  /// One that this release cannot read changes nothing: log and readiness say so.
  public func refresh() async throws {
    guard let store else { return }
    let former = state.withLock { (number: $0.current.number, isKnown: $0.isKnown, unreadable: $0.unreadable?.number) }
    let newest = try await store.newest()
    guard newest != former.number || !former.isKnown else { return passed(former.number) }
    if newest == former.unreadable { return }
    guard newest > 0 else { return take(AppliedCatalogue(try builtIn()), after: former.number) }
    // Of numbers that were seen none goes: without its row it is a database that is being restored.
    guard let version = try await store.version(newest) else { return }
    do throws(CatalogueError) {
      let catalogue = try Catalogue(overrides: version.text, channels: channels)
      take(AppliedCatalogue(catalogue, number: newest, source: .version), after: former.number)
    } catch {
      refuse(newest, because: error)
    }
  }

  private func builtIn() throws(CatalogueError) -> Catalogue { try Catalogue(channels: channels) }

  /// - Parameter former: The number of the version that was current before the database was asked: what was seen earlier puts
  ///   nothing older in the place of what another has taken meanwhile.
  private func take(_ new: AppliedCatalogue, after former: Int) {
    let revision: Int? = state.withLock { state in
      guard state.current.number == former || new.number > state.current.number else { return nil }
      // Another look has taken it meanwhile.
      if state.isKnown, state.current.number == new.number { return nil }
      if state.isKnown { Self.keep(state.current, of: state.current.number, in: &state.others) }
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
  }

  /// The version in force is the current one: one that could not be read is not in force any more.
  private func passed(_ number: Int) {
    state.withLock { state in
      if state.isKnown, state.current.number == number { state.unreadable = nil }
    }
  }

  private func refuse(_ number: Int, because error: CatalogueError) {
    let (kept, isKnown) = state.withLock { state in
      state.unreadable = Unreadable(number: number, problem: String("\(error)".prefix(300)))
      return (state.current, state.isKnown)
    }
    logger.error(
      isKnown
        ? "a new version of the catalogue cannot be read by this release; what was in force stays so here"
        : "the version of the catalogue in force cannot be read by this release; nothing is done until one can",
      metadata: [
        "version": "\(number)", "inForce": isKnown ? "\(kept)" : "none", "error": "\(error)",
        "remedy": "update this service, or apply a version that it can read (belfry catalogue rollback)",
      ]
    )
  }

  /// Waits until it is known what is in force.
  ///
  /// - Throws: `CancellationError` if the service stops first.
  public func known() async throws {
    // Only at the start: what says it is memory, and whoever waits has nothing else to do.
    while !isKnown { try await pause() }
  }

  private func pause() async throws {
    try await cancelWhenGracefulShutdown { try await Task.sleep(for: .milliseconds(20)) }
    guard !Task.isShuttingDownGracefully else { throw CancellationError() }
    try Task.checkCancellation()
  }

  /// Waits until the database was asked once, whatever it said, or did not.
  ///
  /// - Throws: `CancellationError` if the service stops first.
  func asked() async throws {
    while !state.withLock({ $0.isKnown || $0.hasAsked }) { try await pause() }
  }

  // MARK: Other versions

  /// A version by its number, as this release reads it; 0 is the built-in catalogue. Nil if there is none, or it cannot be read.
  public func version(_ number: Int) async throws -> AppliedCatalogue? {
    let known: AppliedCatalogue?? = state.withLock { state in
      if state.isKnown, state.current.number == number { return state.current }
      guard let index = state.others.firstIndex(where: { $0.number == number }) else { return nil }
      let entry = state.others.remove(at: index)
      state.others.append(entry)
      return .some(entry.catalogue)
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
    state.withLock { Self.keep(version, of: number, in: &$0.others) }
    return version
  }

  private func read(_ stored: CatalogueVersion) -> AppliedCatalogue? {
    do throws(CatalogueError) {
      let catalogue = try Catalogue(overrides: stored.text, channels: channels)
      return AppliedCatalogue(catalogue, number: stored.number, source: .version)
    } catch {
      logger.warning(
        "an older version of the catalogue cannot be read by this release",
        metadata: ["version": "\(stored.number)", "error": "\(error)"]
      )
      return nil
    }
  }

  private static func keep(
    _ catalogue: AppliedCatalogue?,
    of number: Int,
    in others: inout [(number: Int, catalogue: AppliedCatalogue?)]
  ) {
    others.removeAll { $0.number == number }
    others.append((number, catalogue))
    if others.count > maximumOthers { others.removeFirst() }
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
