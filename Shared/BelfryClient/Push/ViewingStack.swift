/// What is on the screen, where one screen comes before the other has gone. Pure.
struct ViewingStack: Sendable {
  private static let maximum = 100

  private var entries: [(number: Int, entity: RelatedEntity)] = []
  private var next = 0

  /// The last one that came.
  var current: RelatedEntity? { entries.last?.entity }

  /// - Returns: With which it goes.
  mutating func begin(_ entity: RelatedEntity) -> Int {
    next += 1
    entries.append((next, entity))
    entries.removeFirst(max(0, entries.count - Self.maximum))
    return next
  }

  mutating func end(_ number: Int) {
    entries.removeAll { $0.number == number }
  }
}

extension BelfryClient {
  /// Keeps an entity as the one on the screen until the task is cancelled: no push about it comes meanwhile. Where several are on the screen
  /// the last one counts, and the one before it again after it has gone.
  ///
  /// ``startViewing(_:)`` is for apps that have one screen at a time.
  public func whileViewing(_ entity: RelatedEntity) async {
    let session = session
    let number = await session.beginViewing(entity)
    let (never, end) = AsyncStream<Never>.makeStream()
    for await _ in never {}
    end.finish()
    await session.endViewing(number)
  }
}

extension UserSession {
  func beginViewing(_ entity: RelatedEntity) async -> Int {
    let number = viewings.begin(entity)
    await startViewing(entity)
    return number
  }

  func endViewing(_ number: Int) {
    let before = viewings.current
    viewings.end(number)
    let current = viewings.current
    if current == before { return }
    // The task of the one who calls is cancelled: the hub would not be told.
    lifetime.run { [weak self] in await self?.startViewing(current) }
  }
}
