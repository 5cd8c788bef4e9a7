/// Belfry for one signed-in user: the inbox, the live connection, and streams of what happens.
///
/// ```swift
/// let client = BelfryClient(BelfryConfiguration(gateway: gateway)) { _ in try await MyServer.belfryToken() }
/// await client.connect()
/// for await received in client.notifications { show(received.notification) }
/// ```
///
/// Each call of a stream's property gives a stream of its own, with a bounded buffer: the newest elements are kept. Streams end at
/// ``signOut()``, and when the client is let go of; they do not keep it alive.
public actor BelfryClient {
  let configuration: BelfryConfiguration
  private let token: TokenProvider
  private let jitter: Jitter
  private let current: Locked<Current>
  private var isWanted = false
  private var isPaused = false
  private var isBehind = false

  /// Who is signed in now.
  private struct Current: Sendable {
    let session: UserSession
    let number: Int
  }

  /// Makes no request. Make one client for the app.
  ///
  /// - Parameters:
  ///   - configuration: Where Belfry is.
  ///   - token: Asked for the signed-in user's token when one is needed.
  public init(_ configuration: BelfryConfiguration, token: @escaping TokenProvider) {
    self.init(configuration, jitter: Jitter(), token: token)
  }

  init(_ configuration: BelfryConfiguration, jitter: Jitter, token: @escaping TokenProvider) {
    self.configuration = configuration
    self.token = token
    self.jitter = jitter
    current = Locked(Current(session: UserSession(configuration, token: token, jitter: jitter), number: 0))
    session.tokens.onOtherUser { [weak self] in Task { await self?.renew(after: 0) } }
  }

  deinit {
    session.abandon()
  }

  /// Waits for each sign-out, until the task is cancelled.
  nonisolated func eachSignOut(_ forget: @Sendable () async -> Void) async {
    while !Task.isCancelled {
      for await _ in session.outlets.updates.stream(bound: 1) {}
      if !Task.isCancelled { await forget() }
    }
  }

  nonisolated var session: UserSession { current.withLock { $0.session } }

  // MARK: The connection

  /// Reads the inbox, connects to the hub, and stays connected while the app is in front. Again it changes nothing, but for a user whom the
  /// server has refused: then it tries again.
  public func connect() async {
    isWanted = true
    await session.start()
  }

  /// Ends the connection, and sends what waits to be sent. Streams go on.
  public func disconnect() async {
    isWanted = false
    await session.stop()
  }

  /// The app is in front: connects at once.
  public func enterForeground() async {
    isBehind = false
    await session.enterForeground()
  }

  /// The app is behind others: what waits is sent, and the connection ends a little later.
  public func enterBackground() async {
    isBehind = true
    await session.enterBackground()
  }

  /// No connection while it is paused.
  public func setPaused(_ value: Bool) async {
    isPaused = value
    await session.setPaused(value)
  }

  /// Tries again at once, also for a user whom the server has refused: call it when the network is back, or the user has signed in again.
  public func retry() async {
    await session.retry()
  }

  /// Forgets the user: streams end, and what was not sent is dropped. ``connect()`` is then the next user's.
  public func signOut() async {
    isWanted = false
    await renew(after: current.withLock { $0.number })
  }

  /// Ends a user, and connects the next one if the app wants a connection.
  private func renew(after number: Int) async {
    let session = UserSession(configuration, token: token, jitter: jitter)
    session.tokens.onOtherUser { [weak self] in Task { await self?.renew(after: number + 1) } }
    let next = Current(session: session, number: number + 1)
    let before = current.withLock { current -> Current? in
      guard current.number == number else { return nil }
      defer { current = next }
      return current
    }
    guard let before else { return }
    await session.begin(isPaused: isPaused, isBehind: isBehind)
    await before.session.end()
    if isWanted, self.session === session { await session.start() }
  }

  /// The related entity is on the screen: no push about it comes.
  public func startViewing(_ entity: RelatedEntity) async {
    await session.startViewing(entity)
  }

  /// No related entity is on the screen any more.
  public func stopViewing() async {
    await session.startViewing(nil)
  }

  /// How the connection is now; ``states`` follows it.
  public var state: ConnectionState {
    get async { await session.connection.state }
  }

  // MARK: Other calls

  /// The calls of the gateway, as this user. They have `ended` once nobody holds the client.
  public nonisolated var rest: RESTClient { session.rest }
}
