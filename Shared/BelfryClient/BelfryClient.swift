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
  private let configuration: BelfryConfiguration
  private let token: TokenProvider
  private let jitter: Jitter
  private let current: Locked<Current>
  private var isPaused = false

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
    current = Locked(Self.session(configuration, token, jitter, number: 0))
  }

  deinit {
    session.abandon()
  }

  private static func session(
    _ configuration: BelfryConfiguration,
    _ token: @escaping TokenProvider,
    _ jitter: Jitter,
    number: Int
  ) -> Current {
    let session = UserSession(configuration, token: token, jitter: jitter)
    return Current(session: session, number: number)
  }

  nonisolated var session: UserSession { current.withLock { $0.session } }

  // MARK: The connection

  /// Reads the inbox, connects to the hub, and stays connected while the app is in front.
  public func connect() async {
    let (session, number) = current.withLock { ($0.session, $0.number) }
    await session.tokens.report(
      unauthorized: { [weak session] in Task { await session?.refuse() } },
      otherUser: { [weak self] in Task { await self?.renew(after: number, isConnected: true) } }
    )
    await session.setPaused(isPaused)
    await session.start()
  }

  /// Ends the connection, and sends what waits to be sent. Streams go on.
  public func disconnect() async {
    await session.stop()
  }

  /// The app is in front: connects at once.
  public func enterForeground() async {
    await session.enterForeground()
  }

  /// The app is behind others: what waits is sent, and the connection ends a little later.
  public func enterBackground() async {
    await session.enterBackground()
  }

  /// No connection while it is paused.
  public func setPaused(_ value: Bool) async {
    isPaused = value
    await session.setPaused(value)
  }

  /// Tries again at once, also for a user whom the server has refused.
  public func retry() async {
    await session.retry()
  }

  /// Forgets the user: streams end, and what was not sent is dropped. ``connect()`` is then the next user's.
  public func signOut() async {
    await renew(after: current.withLock { $0.number }, isConnected: false)
  }

  private func renew(after number: Int, isConnected: Bool) async {
    let next = Self.session(configuration, token, jitter, number: number + 1)
    let before = current.withLock { current -> Current? in
      guard current.number == number else { return nil }
      defer { current = next }
      return current
    }
    guard let before else { return }
    await before.session.end()
    if isConnected { await connect() }
  }

  /// The related entity is on the screen: no push about it comes.
  public func startViewing(_ entity: RelatedEntity) async {
    await session.startViewing(entity)
  }

  /// No related entity is on the screen any more.
  public func stopViewing() async {
    await session.startViewing(nil)
  }

  // MARK: Other calls

  /// The calls of the gateway, as this user.
  public nonisolated var rest: RESTClient { session.rest }
}
