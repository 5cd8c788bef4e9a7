import Authentication
import Broker
import Foundation
import InAppDispatcher
import BelfryJSON
import Logging
import NotificationModel
import NotificationStore
import NotificationQueue
import ServiceRuntime
import SignalRProtocol
import TestSupport
import Testing

/// A hub on a free port, without a broker: events are handed to it directly.
struct TestHub {
  static let secret = "a secret of thirty-two bytes, at least"

  let server: HubServer
  let port: Int
  /// What a proxy in front adds to negotiations.
  var negotiationHeaders: [String: String] = [:]

  /// Runs the hub while `body` runs, and stops it afterwards, whatever happens.
  ///
  /// - Parameters:
  ///   - clockSkew: For how long tokens are accepted beyond their end.
  ///   - adjust: Changes the configuration, which has short clocks.
  static func run(
    clockSkew: Duration = .zero,
    checks: HealthChecks = HealthChecks(),
    identifiers: UserIdentifierStore? = nil,
    methods: HubMethods? = nil,
    logger: Logger = .quiet,
    adjust: (inout HubServerConfiguration) -> Void = { _ in },
    _ body: (TestHub) async throws -> Void
  ) async throws {
    let verifier = try TokenVerifier(
      configuration: TokenVerifierConfiguration(sharedSecret: secret, clockSkew: clockSkew)
    )
    var configuration = HubServerConfiguration()
    configuration.allowedOrigins = try #require(AllowedOrigins("https://app.example"))
    configuration.limits.closeTimeout = .milliseconds(200)
    configuration.drainPeriod = .zero
    configuration.tickInterval = .milliseconds(20)
    adjust(&configuration)
    let server = HubServer(
      configuration: configuration,
      verifier: verifier,
      identifiers: identifiers,
      methods: methods,
      checks: checks,
      logger: logger
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

  static func token(_ user: UserID, lifetime: Duration = .seconds(600)) async throws -> String {
    try TokenMinter.mint(secret: secret, subject: user.description, lifetime: lifetime)
  }

  func open(reads: Bool = true) async throws -> TestConnection {
    try await TestConnection.open(port: port, reads: reads)
  }

  /// Negotiates; answers what the transport has to present.
  func negotiate(
    _ token: String,
    path: String = "/hubs/notifications",
    isStateful: Bool = false
  ) async throws -> String {
    let client = try await open()
    let query = "negotiateVersion=1\(isStateful ? "&useStatefulReconnect=true" : "")"
    let negotiation = "\(path)\(path.hasSuffix("/") ? "" : "/")negotiate"
    let answer = try await client.request(
      "POST",
      "\(negotiation)?\(query)",
      token: token,
      headers: negotiationHeaders
    )
    await client.close()
    let body = try JSONSerialization.jsonObject(with: Data(answer.bytes)) as? [String: Any]
    guard let id = body?["connectionToken"] as? String, (body?["useStatefulReconnect"] as? Bool ?? false) == isStateful
    else { throw TestConnection.Unexpected(what: answer.body) }
    return id
  }

  /// A WebSocket that has shaken hands.
  func connect(
    _ user: UserID,
    as hubProtocol: HubProtocol = .json,
    path: String = "/hubs/notifications"
  ) async throws -> TestConnection {
    let connection = try await open()
    let answer = try await connection.upgrade(path, token: Self.token(user))
    guard answer.status == 101 else { throw TestConnection.Unexpected(what: answer.head) }
    try await connection.shakeHands(as: hubProtocol)
    return connection
  }

  /// What is answered to a call of a method that there is not.
  static func missing(_ method: String) -> String {
    "Failed to invoke '\(method)' due to an error on the server. HubException: Method does not exist."
  }

  static let handshake = handshake(.json)

  static func handshake(_ hubProtocol: HubProtocol, version: Int = 1) -> String {
    #"{"protocol":"\#(hubProtocol.rawValue)","version":\#(version)}"# + "\u{1E}"
  }

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

  static func notification(_ user: UserID, seq: Int, unread: Int = 1) throws -> RealtimeMessage {
    let id = NotificationID(UUID())
    return try message(
      events: #"""
        {"kind":"notification","userId":"\#(user)","notificationId":"\#(id)","content":0,"seq":\#(seq),\#
        "unread":\#(unread)}
        """#
    )
  }

  /// A backend's event of 50 KB.
  static func noise(_ user: UserID) throws -> RealtimeMessage {
    let payload = #"{"noise":"\#(String(repeating: "x", count: 50_000))"}"#
    return RealtimeMessage(
      relays: [.init(name: "Noise", payload: try JSONParser.parse(Array(payload.utf8)), arguments: [], userIds: [user])]
    )
  }
}

extension TestConnection {
  func shakeHands(as hubProtocol: HubProtocol = .json, version: Int = 1) async throws {
    try await sendFrame(TestHub.handshake(hubProtocol, version: version))
    let answer = try await frame()
    guard answer == Frame(opcode: hubProtocol.isBinary ? 2 : 1, payload: Array("{}\u{1E}".utf8)) else {
      throw Unexpected(what: answer.text)
    }
  }
}

extension UserID {
  static func random() -> UserID { UserID(UUID()) }
}
