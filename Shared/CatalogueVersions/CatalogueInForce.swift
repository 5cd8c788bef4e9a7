public import Logging
public import NotificationModel
import NotificationStore
import ServiceLifecycle
import Synchronization

/// The catalogue by which a process works: one that a setting gives, or the newest version in the database, which it follows
/// while it runs.
///
/// Whoever works by it asks for ``current`` once for each request or batch, and goes by that to the end.
public final class CatalogueInForce: Sendable {
  /// A version that this release cannot read.
  struct Unreadable: Equatable {
    var identity: CatalogueVersion.Identity
    /// The first thing that is wrong with it.
    var problem: String
  }

  struct State {
    var current: AppliedCatalogue
    /// Whether the database has said which version is in force, or a setting has.
    var isKnown: Bool
    /// Whether the database was asked, with whatever success.
    var hasAsked = false
    /// Counts what has been in force here.
    var revision = 0
    /// Counts how often versions that were there had gone, or were others: a backup was restored.
    var history = 0
    /// The newest number of the database, when it was last asked; also of a version that cannot be read.
    var newest = 0
    /// Since when the database has none any more, though one is in force here.
    var emptySince: ContinuousClock.Instant?
    /// What all observers go by, of which operators are told.
    var observed: (revision: Int, catalogue: AppliedCatalogue)
    var unreadable: Unreadable?
    /// Versions that were asked for by number; nil cannot be read. The last one was used last.
    var others: [(number: Int, catalogue: AppliedCatalogue?)] = []
  }

  /// Versions that are kept beside the current one, whose memory is bounded by that.
  static let maximumOthers = 8
  /// Of the newest versions that know a name, so many are tried.
  static let maximumEarlier = 8
  /// How long the database may be without versions before the process is not ready: what is restored has its rows again by then.
  static let emptiness = Duration.seconds(60)
  /// Between two looks for a newer version. A look reads one entry of a primary key's index: fifty processes ask fifty times a
  /// second, of which PostgreSQL answers some ten thousand on a core. So it costs half a percent of one, and a version is in force
  /// everywhere within a second and the time that it takes to read it.
  public static let interval = Duration.seconds(1)

  let channels: [any RoutingChannel]
  let store: (any CatalogueVersionReading)?
  let logger: Logger
  let state: Mutex<State>
  let observers = Mutex<[@Sendable (Int, AppliedCatalogue) -> Void]>([])

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

  /// What is in force at a moment.
  public struct Revised: Sendable {
    /// Grows each time something else is in force.
    public let revision: Int
    /// Grows each time versions that were there have gone, or are others: what was learnt of them is worth nothing.
    public let history: Int
    public let catalogue: AppliedCatalogue
    /// See ``CatalogueInForce/isKnown``.
    public let isKnown: Bool
  }

  public var revised: Revised {
    state.withLock { state in
      Revised(
        revision: state.revision,
        history: state.history,
        catalogue: state.current,
        isKnown: state.isKnown
      )
    }
  }

  /// The number of the newest version in the database, as the last look found it; also of one that cannot be read here. 0: it has none.
  public var newest: Int { state.withLock(\.newest) }

  /// Calls this each time something else is in force, before ``refresh()`` returns. Several may be called at once: the highest
  /// revision counts.
  public func observe(_ observer: @escaping @Sendable (_ revision: Int, _ catalogue: AppliedCatalogue) -> Void) {
    observers.withLock { $0.append(observer) }
  }

  /// Why the process is not ready; nil if it is.
  public var problem: String? { problem(at: .now) }

  func problem(at now: ContinuousClock.Instant) -> String? {
    state.withLock { state in
      if state.isKnown {
        guard let since = state.emptySince, now - since > Self.emptiness else { return nil }
        return "catalogue: the database has no version any more; \(state.current) stays in force here until a restart"
      }
      guard let unreadable = state.unreadable else { return "catalogue: not known yet" }
      return "catalogue: \(unreadable)"
    }
  }

  /// That a newer version cannot be read here, of a process that works on by the one before; nil if it can, or there is none. Who
  /// takes others' messages is not ready then: those of the newer version are not for it.
  public var lag: String? {
    state.withLock { state in state.isKnown ? state.unreadable.map { "catalogue: \($0)" } : nil }
  }

  /// What is in force, for operators: `version 7`; also that a newer one cannot be read.
  public var summary: String {
    state.withLock { state in
      guard state.isKnown else { return "not known yet" }
      let inForce = state.observed.catalogue
      guard let unreadable = state.unreadable else { return "\(inForce)" }
      return "\(inForce); \(unreadable)"
    }
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
}

extension CatalogueInForce.Unreadable: CustomStringConvertible {
  var description: String { "version \(identity.number) cannot be read by this release: \(problem)" }
}
