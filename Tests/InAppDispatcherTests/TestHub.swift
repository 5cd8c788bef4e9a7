import Authentication
import Broker
import Foundation
import InAppDispatcher
import Logging
import NotificationModel
import NotificationQueue
import ServiceRuntime
import SignalRProtocol

/// A hub on a free port, without a broker: events are handed to it directly.
struct TestHub {
  static let secret = "a secret of thirty-two bytes, at least"

  let server: HubServer
  let port: Int

  /// Runs the hub while `body` runs, and stops it afterwards, whatever happens.
  static func run(
    limits: HubLimits = HubLimits(),
    timing: HubTiming = HubTiming(),
    checks: HealthChecks = HealthChecks(),
    _ body: (TestHub) async throws -> Void
  ) async throws {
    let verifier = try await TokenVerifier(configuration: TokenVerifierConfiguration(sharedSecret: secret))
    var limits = limits
    limits.closeTimeout = min(limits.closeTimeout, .milliseconds(200))
    let server = HubServer(
      configuration: HubServerConfiguration(
        allowedOrigins: ["https://app.example"],
        limits: limits,
        timing: timing,
        threads: 2,
        drainPeriod: .zero,
        tickInterval: .milliseconds(20)
      ),
      verifier: verifier,
      checks: checks,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    )
    let hub = TestHub(server: server, port: try await server.start())
    do {
      try await body(hub)
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }

  static func token(_ user: UserID, lifetime: Duration = .seconds(60)) async throws -> String {
    try await TokenMinter.mint(secret: secret, subject: user.description, lifetime: lifetime)
  }

  func open(reads: Bool = true) async throws -> TestConnection {
    try await TestConnection.open(port: port, reads: reads)
  }

  /// A connection that has shaken hands.
  func connect(_ user: UserID) async throws -> TestConnection {
    let connection = try await open()
    let answer = try await connection.upgrade("/hubs/notifications", token: Self.token(user))
    guard answer.status == 101 else { throw TestConnection.Closed() }
    try await connection.sendFrame(Self.handshake)
    guard try await connection.message() == "{}" else { throw TestConnection.Closed() }
    return connection
  }

  static let handshake = #"{"protocol":"json","version":1}"# + "\u{1E}"

  /// A realtime message as the router publishes it.
  static func message(events: String) throws -> RealtimeMessage {
    let body = #"""
      {"v":1,"contents":[{"type":10,"typeName":"AllowanceDeposit","title":"Ünïcode \"title\"","body":"$10.00 added",
        "data":{"balance":"$42.00","amount":"$10.00"},"relatedEntityType":"Transaction","relatedEntityId":"t-1",
        "priority":"high","createdAt":"2026-11-21T04:30:00.000Z","expiresAt":"2026-12-21T04:30:00.000Z"}],
       "events":[\#(events)]}
      """#
    return try QueueCoder.decode(from: BrokerMessage(body: Array(body.utf8)))
  }

  static func unread(_ user: UserID, _ count: Int) throws -> RealtimeMessage {
    try message(events: #"{"kind":"unread","userId":"\#(user)","unread":\#(count)}"#)
  }

  static func unreadMessage(_ count: Int) -> String {
    #"{"type":1,"target":"UnreadCountChanged","arguments":[\#(count)]}"#
  }

  /// Waits for a condition, at most ten seconds.
  static func eventually(_ condition: () async throws -> Bool) async throws -> Bool {
    let deadline = ContinuousClock.now + .seconds(10)
    while ContinuousClock.now < deadline {
      if try await condition() { return true }
      try await Task.sleep(for: .milliseconds(5))
    }
    return false
  }
}

extension UserID {
  static func random() -> UserID { UserID(UUID()) }
}
