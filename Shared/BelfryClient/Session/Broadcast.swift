/// One sender, any number of streams: each has its own bounded buffer, and keeps nobody alive.
final class Broadcast<Element: Sendable>: Sendable {
  private struct Subscriber: Sendable {
    let send: @Sendable (Element) -> Void
    let finish: @Sendable () -> Void
  }

  private struct State: Sendable {
    var subscribers: [Int: Subscriber] = [:]
    var next = 0
    var latest: Element?
    var isOver = false
  }

  private let state: Locked<State>
  private let repeatsLatest: Bool

  /// - Parameter first: What a stream begins with until something was sent; then it begins with that. Nil: streams begin with what comes next.
  init(first: Element? = nil) {
    state = Locked(State(latest: first))
    repeatsLatest = first != nil
  }

  /// - Parameter repeatsLatest: Whether a stream begins with what was sent last, if anything was.
  init(repeatsLatest: Bool) {
    state = Locked(State())
    self.repeatsLatest = repeatsLatest
  }

  deinit {
    finish()
  }

  /// A stream of its own, which ends with this or with its reader.
  ///
  /// - Parameters:
  ///   - bound: How many elements wait; beyond it the oldest are lost.
  ///   - loss: What the reader gets last where some were lost.
  ///   - transform: Leaves out what it makes nil of.
  func stream<Output: Sendable>(
    bound: Int,
    loss: Output? = nil,
    _ transform: @escaping @Sendable (Element) -> Output?
  ) -> AsyncStream<Output> {
    let (stream, continuation) = AsyncStream<Output>.makeStream(bufferingPolicy: .bufferingNewest(bound))
    let subscriber = Subscriber(
      send: { element in
        guard let output = transform(element) else { return }
        if case .dropped = continuation.yield(output), let loss { continuation.yield(loss) }
      },
      finish: { continuation.finish() }
    )
    let number: Int? = state.withLock { state in
      guard !state.isOver else { return nil }
      state.next += 1
      if repeatsLatest, let latest = state.latest { subscriber.send(latest) }
      state.subscribers[state.next] = subscriber
      return state.next
    }
    guard let number else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.subscribers.removeValue(forKey: number) }
    }
    return stream
  }

  func stream(bound: Int, loss: Element? = nil) -> AsyncStream<Element> {
    stream(bound: bound, loss: loss) { $0 }
  }

  /// How many streams there are.
  var readers: Int { state.withLock { $0.subscribers.count } }

  func send(_ element: Element) {
    let subscribers = state.withLock { state in
      if repeatsLatest { state.latest = element }
      return state.subscribers.values
    }
    for subscriber in subscribers { subscriber.send(element) }
  }

  /// Ends all streams, and those that are asked for later.
  func finish() {
    let subscribers = state.withLock { state in
      state.isOver = true
      defer { state.subscribers = [:] }
      return state.subscribers.values
    }
    for subscriber in subscribers { subscriber.finish() }
  }
}
