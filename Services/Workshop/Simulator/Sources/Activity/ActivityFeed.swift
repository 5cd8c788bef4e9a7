import DevelopmentControl
import BelfryJSON
import ServiceLifecycle
import Synchronization

/// Publishes what happens to whoever watches: pages, over event streams, and `belfry-dev run`.
///
/// It costs nearly nothing while nobody does, for the simulator shares its machine with what is being measured.
final class ActivityFeed: Service {
  static let maximumSubscribers = 32
  /// Events that a reader may be behind before it is let go: it comes back and begins anew.
  static let maximumLag = 256
  /// So that proxies and browsers see that the stream lives, and a reader that went is noticed.
  static let heartbeat = Duration.seconds(15)
  static let keptTraces = 50

  private struct State {
    var subscribers: [Int: AsyncStream<[UInt8]>.Continuation] = [:]
    var lastID = 0
    var witness: AsyncStream<Sighting>.Continuation?
    var isConnected = false
    /// What `belfry-dev run` sent last, for those who come later: oldest first.
    var latest: [DevelopmentEvent] = []
    var hasEnded = false
  }

  private let state = Mutex(State())

  // MARK: Watching

  /// One reader's events, as bytes of an event stream, until it is given up.
  final class Subscription: Sendable {
    let events: AsyncStream<[UInt8]>
    private let id: Int
    private let feed: ActivityFeed

    fileprivate init(_ events: AsyncStream<[UInt8]>, id: Int, feed: ActivityFeed) {
      self.events = events
      self.id = id
      self.feed = feed
    }

    deinit { feed.drop(id) }
  }

  /// Nil if as many as may are watching.
  func subscribe() -> Subscription? {
    let (events, continuation) = AsyncStream.makeStream(
      of: [UInt8].self,
      bufferingPolicy: .bufferingOldest(Self.maximumLag)
    )
    return state.withLock { state in
      guard state.subscribers.count < Self.maximumSubscribers, !state.hasEnded else { return nil }
      state.lastID += 1
      state.subscribers[state.lastID] = continuation
      return Subscription(events, id: state.lastID, feed: self)
    }
  }

  /// What arrives from now on, for `belfry-dev run`. There is one witness: a later one takes the place of the one before.
  func sightings() -> AsyncStream<Sighting> {
    let (sightings, continuation) = AsyncStream.makeStream(of: Sighting.self, bufferingPolicy: .bufferingNewest(10_000))
    state.withLock { state in
      state.witness?.finish()
      state.witness = continuation
    }
    return sightings
  }

  /// Whether anybody is sent what happens.
  var isWatched: Bool { state.withLock { !$0.subscribers.isEmpty || $0.witness != nil } }

  /// What `belfry-dev run` sent last, and whether it is there.
  func latest() -> (events: [DevelopmentEvent], isConnected: Bool) {
    state.withLock { ($0.latest, $0.isConnected) }
  }

  private func drop(_ id: Int) {
    state.withLock { $0.subscribers.removeValue(forKey: id) }?.finish()
  }

  // MARK: Publishing

  /// - Parameter event: Is made only if somebody watches.
  func publish(_ event: () -> ActivityEvent, seen sighting: () -> Sighting? = { nil }) {
    let (isWatched, witness) = state.withLock { (!$0.subscribers.isEmpty, $0.witness) }
    if let witness, let sighting = sighting() { witness.yield(sighting) }
    if isWatched { send(event().bytes) }
  }

  /// Hands on what `belfry-dev run` sends, and keeps it for those who come later.
  func relay(_ event: DevelopmentEvent) {
    state.withLock { state in
      state.latest.removeAll { $0.kind == event.kind && $0.key == event.key }
      state.latest.append(event)
      if event.kind == .trace, state.latest.count(where: { $0.kind == .trace }) > Self.keptTraces,
        let oldest = state.latest.firstIndex(where: { $0.kind == .trace })
      {
        state.latest.remove(at: oldest)
      }
    }
    publish { ActivityEvent(event.kind.rawValue, json: event.data) }
  }

  /// - Parameter isConnected: Whether `belfry-dev run` is there. When it comes, it sends everything anew.
  func link(isConnected: Bool) {
    let isNews = state.withLock { state in
      defer { state.isConnected = isConnected }
      if isConnected { state.latest = [] } else { state.witness?.finish() }
      return state.isConnected != isConnected
    }
    if isNews { publish { ActivityEvent("link") { $0.field("connected", isConnected) } } }
  }

  private func send(_ bytes: [UInt8]) {
    state.withLock { state in
      for (id, subscriber) in state.subscribers {
        guard case .dropped = subscriber.yield(bytes) else { continue }
        subscriber.finish()
        state.subscribers[id] = nil
      }
    }
  }

  // MARK: Living

  /// Keeps streams alive, and ends them at a shutdown: the server behind them waits for its answers to end.
  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        // Cancelled, it is over.
        try? await Task.sleep(for: Self.heartbeat)
        self.send(ActivityEvent.heartbeat)
      }
    }
    let subscribers = state.withLock { state in
      defer { state.subscribers = [:] }
      state.hasEnded = true
      state.witness?.finish()
      return state.subscribers.values
    }
    for subscriber in subscribers { subscriber.finish() }
  }
}
