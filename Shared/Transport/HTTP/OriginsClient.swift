public import Logging
public import ServiceLifecycle
import Synchronization

/// An HTTP client for many requests to servers that are not known beforehand, over HTTP/2 or HTTP/1.1 as each has it.
///
/// The first request to an origin goes through an ``HTTPClient``, which finds out what the server speaks. Where that is HTTP/2, the
/// next ones go through an ``HTTP2Client`` of the origin's own, which takes a fraction of the time. What holds for those two holds
/// here: certificates are always verified, redirects are answers, nothing is retried.
public final class OriginsClient: Service {
  private struct Origin {
    let client: HTTP2Client
    var lastUsed: ContinuousClock.Instant
    /// Requests in flight.
    var uses = 0
    var hasAnswered = false
  }

  private struct State {
    var origins: [String: Origin] = [:]
    /// Forgotten ones with requests in flight, by their clients.
    var left: [ObjectIdentifier: Origin] = [:]
    /// Origins whose own clients never got an answer: until then they share the one of all.
    var shared: [String: ContinuousClock.Instant] = [:]
    var isClosed = false
  }

  /// Of origins with a client of their own. The requests to further ones share one.
  static let maximumOrigins = 64
  /// After so long without a request an origin's client may make room for another's.
  private let idle: Duration
  /// After so long an origin that answered no client of its own is given one again.
  private static let sharing = Duration.seconds(600)

  private let configuration: HTTPClientConfiguration
  private let logger: Logger
  private let http: HTTPClient
  private let state = Mutex(State())

  public convenience init(configuration: HTTPClientConfiguration, logger: Logger) {
    self.init(configuration: configuration, logger: logger, idle: .seconds(300))
  }

  init(configuration: HTTPClientConfiguration, logger: Logger, idle: Duration) {
    self.configuration = configuration
    self.idle = idle
    self.logger = logger
    http = HTTPClient(configuration: configuration, logger: logger)
  }

  /// Waits for graceful shutdown or cancellation, then closes.
  public func run() async throws {
    do {
      try await gracefulShutdown()
    } catch {
      // Cancelled: the same end.
    }
    await close()
  }

  /// The server's answer, whatever its status. Cancelling the caller ends the request at once.
  public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    guard let origin = HTTP2Client.origin(of: request.url), let client = client(of: origin) else {
      return try await explore(request)
    }
    do {
      let response = try await client.send(request)
      await release(client, of: origin, hasAnswered: true)
      return response
    } catch {
      await release(client, of: origin, after: error)
      switch error.code {
      // Another origin's took its place at this moment.
      case .closed where !isClosed: return try await http.send(request)
      default: throw error
      }
    }
  }

  /// Ends requests in flight and closes the connections.
  public func close() async {
    let clients = state.withLock { state in
      state.isClosed = true
      defer { (state.origins, state.left) = ([:], [:]) }
      return state.origins.values.map(\.client) + state.left.values.map(\.client)
    }
    await http.close()
    for client in clients { await client.close() }
  }

  /// Those with a client of their own.
  var origins: Set<String> { state.withLock { Set($0.origins.keys) } }

  private var isClosed: Bool { state.withLock(\.isClosed) }

  private func client(of origin: String) -> HTTP2Client? {
    state.withLock { state in
      state.origins[origin]?.lastUsed = .now
      state.origins[origin]?.uses += 1
      return state.origins[origin]?.client
    }
  }

  private func explore(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    let response = try await http.send(request)
    if response.httpVersion == "2", let origin = HTTP2Client.origin(of: request.url) {
      try await learn(origin)
    }
    return response
  }

  /// Gives an origin a client of its own, if there is room.
  private func learn(_ origin: String) async throws(TransportError) {
    let made = try HTTP2Client(origin: origin, configuration: configuration, logger: logger)
    let (isKept, left) = state.withLock { state -> (Bool, HTTP2Client?) in
      guard !state.isClosed, state.origins[origin] == nil else { return (false, nil) }
      if let end = state.shared[origin], end > .now { return (false, nil) }
      var left: HTTP2Client?
      if state.origins.count >= Self.maximumOrigins {
        guard let oldest = state.origins.min(by: { $0.value.lastUsed < $1.value.lastUsed }),
          .now - oldest.value.lastUsed >= idle
        else { return (false, nil) }
        left = state.origins.removeValue(forKey: oldest.key)?.client
      }
      state.origins[origin] = Origin(client: made, lastUsed: .now)
      return (true, left)
    }
    // Nothing is in flight on either.
    await left?.close()
    if !isKept { await made.close() }
  }

  /// A request has ended. If its origin is forgotten for that, the last request of the client closes it, and so waits for none.
  private func release(
    _ client: HTTP2Client,
    of origin: String,
    hasAnswered: Bool = false,
    after error: TransportError? = nil
  ) async {
    let isLast = state.withLock { state in
      let id = ObjectIdentifier(client)
      guard var known = state.origins[origin], known.client === client else {
        state.left[id]?.uses -= 1
        guard state.left[id]?.uses == 0 else { return false }
        state.left[id] = nil
        return true
      }
      known.uses -= 1
      known.hasAnswered = known.hasAnswered || hasAnswered
      guard Self.isForgotten(known, after: error) else {
        state.origins[origin] = known
        return false
      }
      state.origins[origin] = nil
      if error?.code == .connectionLost {
        if state.shared.count >= Self.maximumOrigins { state.shared = [:] }
        state.shared[origin] = .now + Self.sharing
      }
      if known.uses > 0 { state.left[id] = known }
      return known.uses == 0
    }
    if isLast { await client.close() }
  }

  /// It may speak HTTP/1.1 by now, or be another server, or reset whatever is HTTP/2: the next request finds out.
  private static func isForgotten(_ origin: Origin, after error: TransportError?) -> Bool {
    switch error?.code {
    case .tls, .badResponse, .cannotConnect, .addressNotPublic: true
    case .connectionLost: !origin.hasAnswered
    default: false
    }
  }
}
