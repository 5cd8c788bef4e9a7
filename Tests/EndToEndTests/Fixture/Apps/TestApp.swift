import BelfryClient
import Foundation
import LocalStack
import TestSupport
import Testing

/// An app of a user: the client over its own transports, on lines that a test cuts, with a clock that a test advances.
struct TestApp: Sendable {
  let client: BelfryClient
  let gateway: TestLine
  let hub: TestLine
  let clock: AppClock
  let tokens: AppTokens
  let transport: AppTransport
  private let announcements: Announcements

  /// How an app is started, beyond whose it is.
  struct Options {
    /// Of the in-app dispatchers the one it connects to, from 0.
    var node = 0
    var timing = ClientTiming()
    /// How long its first token is valid.
    var firstToken = Duration.seconds(3_600)
  }

  /// Runs a test with an app that is connected, and signs it out.
  static func with(
    _ belfry: TestStack,
    _ person: Person,
    _ options: Options = Options(),
    _ body: (TestApp) async throws -> Void
  ) async throws {
    let nodes = belfry.stack.services(.inapp)
    let gateway = try #require(belfry.stack.services(.gateway).first)
    try await TestLine.with(to: gateway.port) { gateway in
      try await TestLine.with(to: nodes[options.node % nodes.count].port) { hub in
        let tokens = try await AppTokens(belfry, person, first: options.firstToken)
        let app = try TestApp(gateway, hub, tokens, options.timing)
        await app.client.connect()
        // What comes before the first page is there, and not told of.
        try await eventually("the app is connected, and has its first page", within: .seconds(60)) {
          let isLoaded = await app.client.list().isLoaded
          return await app.isConnected && isLoaded
        }
        do {
          try await body(app)
        } catch {
          await app.client.signOut()
          throw error
        }
        await app.client.signOut()
      }
    }
  }

  private init(_ gateway: TestLine, _ hub: TestLine, _ tokens: AppTokens, _ timing: ClientTiming) throws {
    self.gateway = gateway
    self.hub = hub
    self.tokens = tokens
    clock = AppClock()
    transport = AppTransport(tokens)
    let gatewayURL = try #require(URL(string: gateway.url))
    let hubURL = try #require(URL(string: hub.url + "/hubs/notifications"))
    let configuration = BelfryConfiguration(
      gateway: gatewayURL,
      hub: hubURL,
      timing: timing,
      http: transport,
      clock: clock
    )
    client = BelfryClient(configuration) { reason in try await tokens.next(reason) }
    announcements = Announcements(client)
  }

  // MARK: What it has

  var state: ConnectionState {
    get async {
      for await state in client.states { return state }
      return .disconnected
    }
  }

  var isConnected: Bool { get async { await state == .connected } }

  /// A whole list, the newest one first; nil where it is not read to its end yet.
  func list(_ filter: NotificationFilter = NotificationFilter()) async throws -> [BelfryNotification]? {
    while true {
      let list = await client.list(filter)
      guard list.isLoaded, list.hasMore else { return list.isLoaded ? list.notifications : nil }
      await client.loadMore(filter)
      guard let error = await client.list(filter).error else { continue }
      // More requests than a user may make.
      guard error.code == .rateLimited else { return nil }
      try await Task.sleep(for: error.retryAfter ?? .seconds(1))
    }
  }

  /// Of what was announced so far.
  var announced: [UUID] { announcements.all.map(\.id) }

  /// Signs out, and gives the ids of all that was announced while the app was signed in.
  func signOut() async -> [UUID] {
    await client.signOut()
    return await announcements.untilTheEnd().map(\.id)
  }

  // MARK: What happens to it

  func setLines(_ condition: TestLine.Condition) {
    gateway.condition = condition
    hub.condition = condition
  }
}
