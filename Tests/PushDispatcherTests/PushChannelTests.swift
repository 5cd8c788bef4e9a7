import Cryptography
import Dispatching
import Foundation
import Logging
import NotificationModel
import NotificationQueue
import Synchronization
import TestSupport
import Testing

@testable import PushDispatcher
@testable import Transport

@Suite struct PushChannelTests {
  /// Answers the token endpoint itself and everything else as a test says.
  private final class ScriptedServer: HTTPSender {
    typealias Answer = @Sendable (_ number: Int) throws(TransportError) -> HTTPResponse

    private let counts = Mutex((tokens: 0, pushes: 0))
    private let answer: Answer

    init(answer: @escaping Answer) {
      self.answer = answer
    }

    var tokens: Int { counts.withLock(\.tokens) }
    var pushes: Int { counts.withLock(\.pushes) }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
      if request.url.hasSuffix("/token") {
        let number = counts.withLock { counts in
          counts.tokens += 1
          return counts.tokens
        }
        return Self.response(200, #"{"access_token":"t\#(number)","expires_in":3600}"#)
      }
      let number = counts.withLock { counts in
        counts.pushes += 1
        return counts.pushes
      }
      return try answer(number)
    }

    static func response(_ status: Int, _ body: String, headers: String = "") -> HTTPResponse {
      HTTPResponse(
        status: status,
        headers: HTTPHeaders(lines: Array(headers.utf8)),
        body: Array(body.utf8),
        httpVersion: "2"
      )
    }
  }

  private final class Devices: DeviceRegistry {
    let deactivated = Mutex<[String]>([])

    func deactivate(tokens: [(user: UserID, device: DeviceID, token: String, goneSince: Date?)], reason: String)
      async throws
    {
      deactivated.withLock { deactivated in
        deactivated += tokens.map { token in
          "\(token.token) \(reason) \(token.goneSince.map { "\($0.timeIntervalSince1970)" } ?? "never")"
        }
      }
    }

    func move(_ device: DeviceID, of user: UserID, token: String, to environment: APNsAddress.Environment) async throws
    {}
  }

  private let devices = Devices()
  private let logger = Logger.quiet
  private let delivery: DispatchMessage.Delivery
  private let target = DispatchMessage.Target(id: UUID().uuidString.lowercased(), address: "token-1", platform: 2)

  init() throws {
    let user = UserID(UUID())
    let request = try #require(RequestID("019a8b7c-6d5e-7f40-8123-456789abcdef"))
    delivery = DispatchMessage.Delivery(
      notificationId: NotificationID(request: request, recipient: user),
      userId: user,
      content: 0,
      badge: 0,
      targets: [target]
    )
  }

  private func channel(_ server: ScriptedServer) async throws -> PushChannel {
    PushChannel(
      queue: .push,
      maximumAttempts: 3,
      longestDelivery: .seconds(1),
      provider: FCMSender(
        concurrency: 1,
        url: "https://fcm.example/v1/projects/p/messages:send",
        web: FCMMessage.Web(),
        client: server,
        tokens: try AccessTokens(
          account: ServiceAccount(
            projectID: "p",
            privateKeyID: "k",
            privateKey: try PrivateKey(.rsa).pem,
            clientEmail: "belfry@example.com",
            tokenURI: "https://oauth.example/token"
          ),
          client: server,
          logger: logger
        ),
        logger: logger
      ),
      devices: devices,
      logger: logger
    )
  }

  @Test(arguments: [
    (TransportError.Code.timeout, true), (.cannotConnect, true), (.tls, true), (.badResponse, true),
    (.connectionLost, false), (.overloaded, false), (.closed, false), (.tooLarge, false),
  ])
  func `a server that cannot be reached tells against the whole scope as one that is silent, what is ours does not`(
    code: TransportError.Code,
    isTrouble: Bool
  ) async throws {
    let server = ScriptedServer { _ throws(TransportError) in throw TransportError(code, isTransient: true) }
    guard case .retry(_, _, _, _, let answer) = try await deliver(try await channel(server)) else {
      Issue.record("it is not tried again")
      return
    }
    #expect(answer == isTrouble)
  }

  private func deliver(
    _ channel: PushChannel,
    to target: DispatchMessage.Target? = nil
  ) async throws -> DeliveryResult {
    let type = try #require(try Catalogue().type(.code(12)))
    let content = NotificationContent(
      type: type,
      text: type.template.render(title: "Hello", body: "World", data: [:]),
      data: [:],
      relatedEntityType: nil,
      relatedEntityId: nil,
      collapseKey: nil,
      createdAt: Date.now,
      expiresAt: Date.now + 3_600
    )
    return await channel.deliver(TargetedDelivery(delivery: delivery, target: target ?? self.target, content: content))
  }

  private static func quota(_ subject: String, retryAfter: Int? = nil) -> HTTPResponse {
    ScriptedServer.response(
      429,
      """
      {"error":{"code":429,"status":"RESOURCE_EXHAUSTED","details":[
       {"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"subject":"\(subject)"}]}]}}
      """,
      headers: retryAfter.map { "Retry-After: \($0)\r\n" } ?? ""
    )
  }

  @Test func `one access token serves many pushes`() async throws {
    let server = ScriptedServer { _ throws(TransportError) in ScriptedServer.response(200, #"{"name":"m"}"#) }
    let channel = try await channel(server)
    for _ in 0..<5 { #expect(try await deliver(channel) == .delivered(providerID: "m")) }
    #expect(server.tokens == 1 && server.pushes == 5)
  }

  @Test func `a refused access token is replaced once, then the push waits`() async throws {
    let server = ScriptedServer { number throws(TransportError) in
      number == 2 ? ScriptedServer.response(200, #"{"name":"m"}"#) : ScriptedServer.response(401, "")
    }
    let channel = try await channel(server)
    #expect(try await deliver(channel) == .delivered(providerID: "m"))
    #expect(server.tokens == 2)
    #expect(try await deliver(channel) == .retry(reason: "UNAUTHENTICATED", first: .seconds(10)))
  }

  @Test func `what FCM does not take of ours is refused for good, and the device stays`() async throws {
    let server = ScriptedServer { _ throws(TransportError) in
      ScriptedServer.response(
        400,
        """
        {"error":{"status":"INVALID_ARGUMENT","details":[
         {"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":[{"field":"message.android.ttl"}]}]}}
        """
      )
    }
    #expect(try await deliver(try await channel(server)) == .rejected(reason: "INVALID_ARGUMENT"))
  }

  @Test func `FCM's own failures are the provider's trouble, our own are not`() async throws {
    let answers: [Int: (HTTPResponse, Bool)] = [
      1: (ScriptedServer.response(503, ""), true), 2: (ScriptedServer.response(403, ""), false),
      3: (Self.quota("device:x"), false), 4: (ScriptedServer.response(200, ""), true),
    ]
    let channel = try await channel(
      ScriptedServer { number throws(TransportError) in answers[number]?.0 ?? ScriptedServer.response(500, "") }
    )
    for number in 1...4 {
      guard case .retry(_, _, _, _, let isTrouble) = try await deliver(channel) else {
        Issue.record("answer \(number) is not tried again")
        continue
      }
      #expect(isTrouble == answers[number]?.1, "answer \(number)")
    }
  }

  @Test func `a topic's quota stops that topic alone`() async throws {
    let server = ScriptedServer { number throws(TransportError) in
      number == 1 ? Self.quota("topic:news") : ScriptedServer.response(200, #"{"name":"m"}"#)
    }
    let channel = try await channel(server)
    let news = DispatchMessage.Target(try TopicAudience(topic: "news"))
    // The worker keeps the scope back.
    #expect(try await deliver(channel, to: news) == .throttled(reason: "QUOTA_EXCEEDED", until: .seconds(60)))
    #expect(
      try await deliver(channel, to: DispatchMessage.Target(try TopicAudience(topic: "sport")))
        == .delivered(providerID: "m")
    )
    #expect(try await deliver(channel) == .delivered(providerID: "m"))
  }

  @Test(arguments: ["device:x", "topic:news", ""])
  func `whatever quota FCM names, that of a push to a topic is the topic's`(_ subject: String) async throws {
    let channel = try await channel(ScriptedServer { _ throws(TransportError) in Self.quota(subject, retryAfter: 1) })
    let condition = DispatchMessage.Target(try TopicAudience(condition: "'a' in topics && 'b' in topics"))
    #expect(try await deliver(channel, to: condition) == .throttled(reason: "QUOTA_EXCEEDED", until: .seconds(10)))
  }

  @Test func `the project's quota stops topics too`() async throws {
    let server = ScriptedServer { _ throws(TransportError) in Self.quota("project:belfry") }
    let channel = try await channel(server)
    guard case .throttled("QUOTA_EXCEEDED", let wait, _) = try await deliver(channel) else {
      Issue.record("it was not held back")
      return
    }
    #expect((.seconds(60)...(.seconds(75))).contains(wait))
    let news = DispatchMessage.Target(try TopicAudience(topic: "news"))
    guard case .throttled("QUOTA_EXCEEDED", _, _) = try await deliver(channel, to: news) else {
      Issue.record("it was not held back")
      return
    }
    #expect(server.pushes == 1)
  }

  @Test func `topics and conditions have scopes of their own, devices share the project's`() async throws {
    let channel = try await channel(ScriptedServer { _ throws(TransportError) in ScriptedServer.response(500, "") })
    let type = try #require(try Catalogue().type(.code(12)))
    let content = NotificationContent(
      type: type,
      text: type.template.render(title: "Hello", body: "World", data: [:]),
      data: [:],
      relatedEntityType: nil,
      relatedEntityId: nil,
      collapseKey: nil,
      createdAt: Date.now,
      expiresAt: Date.now + 3_600
    )
    let condition = "'a' in topics || 'b' in topics"
    let targets = [
      target, .init(try TopicAudience(topic: "news")), .init(try TopicAudience(condition: condition)),
    ]
    let scopes = targets.map { target in
      channel.scope(of: TargetedDelivery(delivery: delivery, target: target, content: content))
    }
    #expect(scopes.map(\.description) == ["fcm", "fcm:topic/news", "fcm:topic/\(condition)"])
    #expect(scopes.map(\.share) == ["fcm", "fcm:topic", "fcm:topic"])
    #expect(targets.allSatisfy(channel.serves))
  }

  @Test(arguments: [(1, 10), (10, 10), (1_800, 1_800), (86_400, 86_400)])
  func `a pause is as long as FCM says, never shorter than ten seconds`(said: Int, wait: Int) async throws {
    let project = try await channel(
      ScriptedServer { _ throws(TransportError) in Self.quota("project:belfry", retryAfter: said) }
    )
    #expect(try await deliver(project) == .throttled(reason: "QUOTA_EXCEEDED", until: .seconds(wait)))
    let topic = try await channel(
      ScriptedServer { _ throws(TransportError) in Self.quota("topic:news", retryAfter: said) }
    )
    let news = DispatchMessage.Target(try TopicAudience(topic: "news"))
    #expect(try await deliver(topic, to: news) == .throttled(reason: "QUOTA_EXCEEDED", until: .seconds(wait)))
    // A device's wait starts at the tier of ten seconds.
    let device = try await channel(
      ScriptedServer { _ throws(TransportError) in Self.quota("device:x", retryAfter: said) }
    )
    #expect(
      try await deliver(device) == .retry(reason: "QUOTA_EXCEEDED", first: .seconds(10), after: .seconds(said))
    )
  }

  @Test func `the project's quota stops all pushes, a device's only its own`() async throws {
    let one = ScriptedServer { number throws(TransportError) in
      number == 1 ? Self.quota("device:x") : ScriptedServer.response(200, #"{"name":"m"}"#)
    }
    let patient = try await channel(one)
    #expect(
      try await deliver(patient) == .retry(reason: "QUOTA_EXCEEDED", first: .seconds(10), after: .seconds(60))
    )
    #expect(try await deliver(patient) == .delivered(providerID: "m"))

    // The worker keeps the others of the scope back, the sender those of other scopes.
    let all = ScriptedServer { _ throws(TransportError) in Self.quota("project:belfry") }
    let stopped = try await channel(all)
    let other = DispatchMessage.Target(id: "d2", address: "token-2", platform: 1)
    guard case .throttled("QUOTA_EXCEEDED", _, _) = try await deliver(stopped),
      case .throttled("QUOTA_EXCEEDED", _, _) = try await deliver(stopped, to: other)
    else {
      Issue.record("it was not held back")
      return
    }
    #expect(all.pushes == 1)
  }

  @Test func `a request that may have been processed waits longer than one that was not`() async throws {
    let server = ScriptedServer { number throws(TransportError) in
      throw TransportError(.connectionLost, isTransient: true, mayHaveBeenProcessed: number == 1)
    }
    let channel = try await channel(server)
    let reason = "transport: the connection was lost before the answer was complete"
    #expect(try await deliver(channel) == .retry(reason: reason, first: .seconds(10)))
    #expect(try await deliver(channel) == .retry(reason: reason, first: .seconds(1)))
  }

  @Test func `devices to forget are deactivated with the provider's reason`() async throws {
    let channel = try await channel(ScriptedServer { _ throws(TransportError) in ScriptedServer.response(500, "") })
    // A topic may be called like a device.
    let topic = DispatchMessage.Target(try TopicAudience(topic: target.id))
    let gone = Date(timeIntervalSince1970: 1_700_000_000)
    for since in [nil, gone] {
      try await channel.forget(
        [target, topic].map {
          ForgottenTarget(user: delivery.userId, target: $0, reason: "UNREGISTERED", goneSince: since)
        }
      )
    }
    // What was registered since, the store knows.
    #expect(
      devices.deactivated.withLock(\.self) == ["token-1 UNREGISTERED never", "token-1 UNREGISTERED 1700000000.0"]
    )
  }
}
