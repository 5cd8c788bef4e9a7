public import BelfryClient
public import Foundation

/// Belfry in memory: a gateway and its hub, for tests and previews of apps.
///
/// It is behind the client's doors, so everything else of the client is the one that ships:
///
/// ```swift
/// let clock = TestClock()
/// let server = InMemoryServer(clock: clock)
/// let client = server.client(for: "anna")
/// await client.connect()
/// await server.deliver(title: "Dinner is ready", to: "anna")
/// #expect(await clock.advance { await client.unreadCount == 1 })
/// ```
///
/// What it answers has the shapes of `openapi.yaml`. It sends no pushes and no mails, and runs no rules: what a user is to get, a test
/// delivers.
public actor InMemoryServer {
  /// Who is meant where nobody is named.
  public static let user = "anna"

  /// Nothing there is asked. Made of parts: a URL of a text may be none.
  private static let address: URL = {
    var parts = URLComponents()
    parts.scheme = "https"
    parts.host = "belfry.test"
    return parts.url ?? URL(filePath: "/")
  }()

  /// How many requests are remembered.
  static let maximumRequests = 10_000

  /// Which types and settings there are.
  public nonisolated let catalogue: TestCatalogue
  public nonisolated let clock: any ClientClock
  /// Where the gateway seems to be.
  public nonisolated let gateway: URL

  var users: [String: ServedUser]
  var lines: [Int: HubLine] = [:]
  var faults = ServedFaults()
  var tokens = ServedTokens()
  /// How often a connection was opened.
  public private(set) var opened = 0
  /// What clients asked over REST and for negotiation, the latest last; of more than 10,000 the latest. Their headers have tokens.
  public private(set) var requests: [HTTPRequest] = []

  /// - Parameters:
  ///   - notifications: What ``user`` has already, in any order.
  ///   - clock: The time of the server, and of its clients unless they have another one.
  public init(
    _ notifications: [BelfryNotification] = [],
    catalogue: TestCatalogue = .standard,
    clock: any ClientClock = SystemClock()
  ) {
    self.catalogue = catalogue
    self.clock = clock
    gateway = Self.address
    var user = ServedUser(catalogue)
    for notification in notifications.sorted(by: { $0.id.precedes($1.id) }) { _ = user.inbox.add(notification) }
    users = [Self.user: user]
  }

  // MARK: Clients

  /// A client of this server, for a user who is signed in.
  public nonisolated func client(for user: String = InMemoryServer.user) -> BelfryClient {
    BelfryClient(configuration(), token: tokenProvider(for: user))
  }

  /// The configuration of a client of this server; set caches and timing as the app does.
  ///
  /// Whose client it is, the token says: one of ``tokenProvider(for:)``, or the app's own. A JSON Web Token is that of the user in its
  /// `sub`, every other text is ``user``'s.
  public nonisolated func configuration() -> BelfryConfiguration {
    BelfryConfiguration(gateway: gateway, http: self, live: self, clock: clock)
  }

  /// Gives a user's tokens, each another one.
  public nonisolated func tokenProvider(for user: String = InMemoryServer.user) -> TokenProvider {
    { [weak self] _ in
      guard let self else { throw BelfryError(.ended) }
      return await self.token(for: user)
    }
  }

  /// A new token of a user, with the form of a JSON Web Token.
  public func token(for user: String = InMemoryServer.user) -> String { tokens.issue(user) }

  // MARK: What is there

  /// The notifications of a user that are in a place, the newest one first.
  public func inbox(of user: String = InMemoryServer.user, place: NotificationPlace = .inbox) -> [BelfryNotification] {
    wake(user)
    return users[user]?.inbox.list { $0.place == place } ?? []
  }

  /// A notification of a user, wherever it is; nil if it was deleted.
  public func notification(_ id: BelfryNotification.ID, of user: String = InMemoryServer.user) -> BelfryNotification? {
    users[user]?.inbox[id]
  }

  /// How many notifications were delivered to a user in all: the `seq` of the latest.
  public func deliveredCount(to user: String = InMemoryServer.user) -> Int { Int(users[user]?.inbox.seq ?? 0) }

  /// How many notifications of a user are unread.
  public func unreadCount(of user: String = InMemoryServer.user) -> Int {
    wake(user)
    return users[user]?.inbox.unread ?? 0
  }

  /// The addresses to which pushes of a user go: tokens or `fid`s of FCM, tokens of APNs in hex.
  public func deviceAddresses(of user: String = InMemoryServer.user) -> [String] {
    users[user]?.devices.activeAddresses ?? []
  }

  /// What a user has on the screen, by `StartViewing` of the last connection that said so.
  public func viewing(_ user: String = InMemoryServer.user) -> RelatedEntity? {
    lines.values.filter { $0.user == user }.sorted { $0.number < $1.number }.compactMap(\.viewing).last
  }

  /// How many connections are open, of one user or of all.
  public func connections(of user: String? = nil) -> Int {
    lines.values.count { user == nil || $0.user == user }
  }

  /// The requests of a method and a path, such as `PATCH` and `/api/v1/notifications/…/read`.
  public func requests(_ method: String, _ path: String) -> [HTTPRequest] {
    requests.filter { $0.method == method && $0.url.path() == path }
  }

  // MARK: Inside

  func remember(_ request: HTTPRequest) {
    requests.append(request)
    if requests.count > Self.maximumRequests { requests.removeFirst(Self.maximumRequests / 2) }
    (clock as? TestClock)?.note()
  }

  /// Changes what is kept of a user, who need not have been there.
  func change<Result>(_ user: String, _ body: (inout ServedUser) -> Result) -> Result {
    body(&users[user, default: ServedUser(catalogue)])
  }

  func nextLine() -> Int {
    opened += 1
    return opened
  }
}

/// Everything that is kept of a user.
struct ServedUser: Sendable {
  var inbox = ServedInbox()
  var preferences: ServedPreferences
  var devices = ServedDevices()
  /// Until when; `.distantFuture` is for good.
  var mutes: [RelatedEntity: Date] = [:]

  init(_ catalogue: TestCatalogue) {
    preferences = ServedPreferences(catalogue)
  }
}
