import Cryptography
import Dispatching
import Foundation
import NotificationModel
import NotificationQueue
import Synchronization
import TestSupport
import Testing

@testable import PushDispatcher
@testable import Transport

/// What is done with each answer, over scripted connections to both environments.
@Suite struct APNsSenderTests {
  /// Answers as a test says, and remembers what it was asked.
  private final class ScriptedAPNs: APNsConnections {
    private struct State {
      var answers: [(Int, String)] = []
      var otherwise: (Int, String) = (200, "")
      var requests: [HTTPRequest] = []
      var replacements = 0
    }

    private let state = Mutex(State())

    var requests: [HTTPRequest] { state.withLock(\.requests) }
    var replacements: Int { state.withLock(\.replacements) }

    /// First these, then always the last.
    func say(_ answers: (Int, String)...) {
      state.withLock { state in
        state.otherwise = answers[answers.count - 1]
        state.answers = Array(answers.dropLast())
      }
    }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
      let (status, reason) = state.withLock { state in
        state.requests.append(request)
        return state.answers.isEmpty ? state.otherwise : state.answers.removeFirst()
      }
      let body = reason.hasPrefix("{") ? reason : #"{"reason":"\#(reason)"}"#
      return HTTPResponse(
        status: status,
        headers: HTTPHeaders(lines: Array("apns-id: id-1\r\n".utf8)),
        body: Array(status == 200 ? "".utf8 : body.utf8),
        httpVersion: "2"
      )
    }

    func replaceConnection(of response: HTTPResponse) { state.withLock { $0.replacements += 1 } }
  }

  private let production = ScriptedAPNs()
  private let sandbox = ScriptedAPNs()
  private let devices = MemoryDevices()
  private let delivery: DispatchMessage.Delivery
  private let token = String(repeating: "0a", count: 32)

  init() throws {
    let user = UserID(UUID())
    let request = try #require(RequestID("019a8b7c-6d5e-7f40-8123-456789abcdef"))
    delivery = DispatchMessage.Delivery(
      notificationId: NotificationID(request: request, recipient: user),
      userId: user,
      content: 0,
      badge: 0,
      targets: []
    )
  }

  private func pool(_ environment: APNsAddress.Environment, _ server: ScriptedAPNs) throws -> APNsPool {
    APNsPool(
      environment,
      origin: "https://\(environment.rawValue).example",
      connections: server,
      tokens: ProviderTokens(key: try PrivateKey(.p256), keyID: "KEY1234567", teamID: "TEAM123456"),
      logger: .quiet
    )
  }

  private func sender(hasSandbox: Bool = true) throws -> APNsSender {
    var pools = [try pool(.production, production)]
    if hasSandbox { pools.append(try pool(.sandbox, sandbox)) }
    return APNsSender(
      concurrency: 1,
      pools: pools,
      environment: .production,
      topic: "com.example.app",
      devices: devices,
      logger: .quiet
    )
  }

  private func push(_ sender: APNsSender, _ address: APNsAddress? = nil, token: String? = nil) async throws
    -> DeliveryResult
  {
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
    let target = DispatchMessage.Target(
      id: UUID().uuidString.lowercased(),
      address: token ?? self.token,
      platform: 11,
      apns: address
    )
    return await sender.push(TargetedDelivery(delivery: delivery, target: target, content: content))
  }

  private func postponed(_ result: DeliveryResult) -> String? {
    if case .postponed(let reason, _) = result { return reason }
    return nil
  }

  @Test func `a push goes to the device's environment and topic, else to the deployment's`() async throws {
    let sender = try sender()
    #expect(try await push(sender) == .delivered(providerID: "id-1"))
    #expect(
      try await push(sender, APNsAddress(environment: .sandbox, topic: "com.example.other"))
        == .delivered(providerID: "id-1")
    )
    let (first, second) = (try #require(production.requests.first), try #require(sandbox.requests.first))
    #expect(first.url == "https://production.example/3/device/\(token)")
    #expect(first.headers.contains { $0 == ("apns-topic", "com.example.app") })
    #expect(first.headers.contains { $0.name == "authorization" && $0.value.hasPrefix("bearer ") })
    #expect(first.ownHeaders.map(\.name) == ["apns-id", "apns-collapse-id", "apns-expiration"])
    #expect(second.url == "https://sandbox.example/3/device/\(token)")
    #expect(second.headers.contains { $0 == ("apns-topic", "com.example.other") })
  }

  @Test func `a device of an environment without a key is refused by name, and kept`() async throws {
    let sender = try sender(hasSandbox: false)
    #expect(
      try await push(sender, APNsAddress(environment: .sandbox))
        == .rejected(reason: "no key for sandbox", wasAsked: false)
    )
  }

  @Test func `what is no token is given up unasked`() async throws {
    let sender = try sender()
    #expect(
      try await push(sender, token: "g") == .rejected(reason: "BadDeviceToken", forgetsTarget: true, wasAsked: false)
    )
    #expect(production.requests.isEmpty)
  }

  @Test func `a device that is gone is given up, but not if its app has registered since`() async throws {
    production.say((410, #"{"reason":"Unregistered","timestamp":1700000000000}"#))
    let sender = try sender()
    let gone = Date(timeIntervalSince1970: 1_700_000_000)
    func registered(_ seconds: TimeInterval) -> APNsAddress { APNsAddress(registeredAt: gone + seconds) }
    // The app may register before the device is deactivated.
    let forgotten = DeliveryResult.rejected(reason: "Unregistered", forgetsTarget: true, goneSince: gone)
    #expect(try await push(sender, registered(-1)) == forgotten)
    #expect(try await push(sender) == forgotten)
    #expect(try await push(sender, registered(1)) == .rejected(reason: "Unregistered"))
    production.say((410, "ExpiredToken"))
    #expect(try await push(sender, registered(1)) == .rejected(reason: "ExpiredToken", forgetsTarget: true))
  }

  // MARK: The other environment

  @Test func `a token of the other environment is delivered there, and that is stored`() async throws {
    production.say((400, "BadDeviceToken"))
    let result = try await push(try sender())
    #expect(result == .delivered(providerID: "id-1", note: "the token is one of sandbox: stored"))
    #expect(devices.all == ["\(token) sandbox"])
    #expect(sandbox.requests.first?.url == "https://sandbox.example/3/device/\(token)")
    #expect(sandbox.requests.first?.ownHeaders.first?.value == production.requests.first?.ownHeaders.first?.value)
  }

  @Test func `a token that neither knows is given up`() async throws {
    production.say((400, "BadDeviceToken"))
    sandbox.say((400, "BadDeviceToken"))
    #expect(try await push(try sender()) == .rejected(reason: "BadDeviceToken", forgetsTarget: true))
    #expect(devices.all.isEmpty)
    #expect(sandbox.requests.count == 1)
  }

  @Test func `without its key the other environment is not asked, nor about a token of another app`() async throws {
    production.say((400, "BadDeviceToken"))
    #expect(try await push(try sender(hasSandbox: false)) == .rejected(reason: "BadDeviceToken", forgetsTarget: true))
    production.say((400, "DeviceTokenNotForTopic"))
    #expect(try await push(try sender()) == .rejected(reason: "DeviceTokenNotForTopic", forgetsTarget: true))
    #expect(sandbox.requests.isEmpty)
  }

  @Test func `the other environment is asked once a second, and few wait for their turn`() throws {
    let pool = try pool(.sandbox, sandbox)
    let now = ContinuousClock.now
    for second in 0...5 { #expect(pool.takeProbe(at: now) == .after(.seconds(second))) }
    #expect(pool.takeProbe(at: now) == .later)
    #expect(pool.takeProbe(at: now + .milliseconds(1_500)) == .after(.milliseconds(4_500)))
    #expect(pool.takeProbe(at: now + .seconds(60)) == .after(.zero))
    #expect(pool.takeProbe(at: now + .seconds(60)) == .after(.seconds(1)))
    _ = pool.stop.stop("InvalidProviderToken", at: now)
    #expect(pool.takeProbe(at: now + .seconds(90)) == .stopped)
  }

  @Test func `a token waits for its turn, and one that finds none is kept without an attempt, however many they are`()
    async throws
  {
    production.say((400, "BadDeviceToken"))
    let slept = Mutex<[Duration]>([])
    var sender = try sender()
    sender.sleep = { time in slept.withLock { $0.append(time) } }
    let start = ContinuousClock.now
    var results: [DeliveryResult] = []
    for _ in 0..<46 { results.append(try await push(sender)) }
    // Each second that this took gave one more its turn, and shortened the waits.
    let took = ContinuousClock.now - start
    let asked = sandbox.requests.count
    #expect((6...6 + Int(took / .seconds(1))).contains(asked))
    let waits = slept.withLock(\.self)
    #expect(waits.allSatisfy { $0 <= .seconds(5) } && waits.count >= 5 - Int(took / .seconds(1)), "\(waits)")
    for (index, wait) in waits.prefix(5).enumerated() { #expect(wait > .seconds(index) - took, "\(waits)") }
    let delivered = DeliveryResult.delivered(providerID: "id-1", note: "the token is one of sandbox: stored")
    #expect(results.prefix(6).allSatisfy { $0 == delivered } && results.count { $0 == delivered } == asked)
    let kept = DeliveryResult.postponed(reason: "BadDeviceToken", after: .seconds(60))
    #expect(results.count { $0 == kept } == 46 - asked, "none is counted")
    #expect(devices.all.count == asked)
  }

  @Test func `a stop while a token waits for its turn leaves it with the broker`() async throws {
    production.say((400, "BadDeviceToken"))
    var sender = try sender()
    sender.sleep = { _ in throw CancellationError() }
    _ = try await push(sender)
    #expect(try await push(sender) == .abandoned)
    #expect(sandbox.requests.count == 1)
  }

  @Test func `while the other environment's pool is stopped it is not asked, and in the end the token is given up`()
    async throws
  {
    production.say((400, "BadDeviceToken"))
    let sender = try sender()
    _ = sender.pools[1].stop.stop("InvalidProviderToken")
    #expect(
      try await push(sender) == .retry(reason: "BadDeviceToken", first: .seconds(60), thenForgetsTarget: true)
    )
    #expect(sandbox.requests.isEmpty)
  }

  @Test func `what the other environment says of its own token counts, and of the push gives no device up`()
    async throws
  {
    production.say((400, "BadDeviceToken"))
    sandbox.say((410, #"{"reason":"Unregistered","timestamp":1700000000000}"#))
    let gone = Date(timeIntervalSince1970: 1_700_000_000)
    var sender = try sender()
    sender.sleep = { _ in }
    let earlier = APNsAddress(registeredAt: gone - 1)
    #expect(
      try await push(sender, earlier) == .rejected(reason: "Unregistered", forgetsTarget: true, goneSince: gone)
    )
    #expect(devices.all.isEmpty)
    let later = APNsAddress(registeredAt: gone + 1)
    #expect(try await push(sender, later) == .rejected(reason: "Unregistered"))
    #expect(devices.all == ["\(token) sandbox"])
    sandbox.say((400, "BadCollapseId"))
    #expect(try await push(sender) == .rejected(reason: "BadCollapseId"))
  }

  @Test(arguments: ["BadEnvironmentKeyInToken", "BadEnvironmentKeyIdInToken", "InvalidProviderToken"])
  func `a key that is strange to the other environment stops neither`(reason: String) async throws {
    production.say((400, "BadDeviceToken"), (200, ""))
    sandbox.say((403, reason), (200, ""))
    let sender = try sender()
    #expect(try await push(sender) == .rejected(reason: "BadDeviceToken", forgetsTarget: true))
    #expect(sender.pools.allSatisfy { $0.problem == nil })
    #expect(try await push(sender) == .delivered(providerID: "id-1"))
    #expect(try await push(sender, APNsAddress(environment: .sandbox)) == .delivered(providerID: "id-1"))
  }

  @Test func `trouble in the other environment gives nobody up`() async throws {
    production.say((400, "BadDeviceToken"))
    sandbox.say((503, "ServiceUnavailable"))
    #expect(try await push(try sender()) == .retry(reason: "ServiceUnavailable", first: .seconds(900)))
  }

  // MARK: What is ours

  @Test(arguments: [
    (403, "InvalidProviderToken"), (403, "MissingProviderToken"), (403, "Forbidden"), (403, "BadCertificate"),
    (403, "BadCertificateEnvironment"), (403, "BadEnvironmentKeyInToken"), (403, "BadEnvironmentKeyIdInToken"),
    (403, "UnrelatedKeyIdInToken"), (400, "BadTopic"), (400, "MissingTopic"), (400, "TopicDisallowed"),
  ])
  func `what is ours stops its pool and no other, and keeps the messages`(status: Int, reason: String) async throws {
    production.say((status, reason))
    let sender = try sender()
    for _ in 0..<3 { #expect(postponed(try await push(sender)) == reason) }
    #expect(production.requests.count == 1, "the others are not tried")
    #expect(production.replacements == (reason == "UnrelatedKeyIdInToken" ? 1 : 0))
    #expect(sender.pools.map(\.problem) == ["apns production: \(reason)", nil])
    #expect(try await push(sender, APNsAddress(environment: .sandbox)) == .delivered(providerID: "id-1"))
  }

  @Test(arguments: ["BadTopic", "TopicDisallowed"])
  func `a topic that a device made up stops nobody else`(reason: String) async throws {
    production.say((400, reason), (200, ""))
    let sender = try sender()
    #expect(try await push(sender, APNsAddress(topic: "com.example.made-up")) == .rejected(reason: reason))
    #expect(sender.pools[0].problem == nil)
    #expect(try await push(sender) == .delivered(providerID: "id-1"))
  }

  @Test(arguments: ["InvalidProviderToken", "Forbidden", "BadCertificate", "HTTP 403"])
  func `what is forbidden for a topic that a device made up stops nobody else`(reason: String) async throws {
    production.say((403, reason), (200, ""))
    let sender = try sender()
    #expect(
      try await push(sender, APNsAddress(topic: "com.example.made-up")) == .retry(reason: reason, first: .seconds(60))
    )
    #expect(sender.pools[0].problem == nil)
    #expect(try await push(sender) == .delivered(providerID: "id-1"))
  }

  @Test func `tokens of topics that devices made up say nothing about those of others`() async throws {
    production.say((400, "DeviceTokenNotForTopic"))
    let sender = try sender()
    let refused = DeliveryResult.rejected(reason: "DeviceTokenNotForTopic", forgetsTarget: true)
    for _ in 0..<40 { #expect(try await push(sender, APNsAddress(topic: "com.example.made-up")) == refused) }
    #expect(try await push(sender) == refused)
  }

  @Test func `a young token that is called expired means a wrong clock: the pool stops, and no token is made`()
    async throws
  {
    production.say((403, "ExpiredProviderToken"))
    let sender = try sender()
    #expect(postponed(try await push(sender)) == "ExpiredProviderToken")
    #expect(production.requests.count == 1)
    #expect(sender.pools[0].problem == "apns production: ExpiredProviderToken")
  }

  @Test func `too many tokens change nothing: the one in use stays, and nothing is counted`() async throws {
    production.say((429, "TooManyProviderTokenUpdates"), (200, ""))
    let sender = try sender()
    #expect(postponed(try await push(sender)) == "TooManyProviderTokenUpdates")
    #expect(try await push(sender) == .delivered(providerID: "id-1"))
    func authorization(_ request: HTTPRequest) -> String? {
      request.headers.first { $0.name == "authorization" }?.value
    }
    #expect(Set(production.requests.map(authorization)).count == 1)
  }

  @Test(arguments: [(503, "Shutdown"), (400, "IdleTimeout")])
  func `what is about the connection gets another one`(status: Int, reason: String) async throws {
    production.say((status, reason))
    guard case .retry(reason, _, _, false, _) = try await push(try sender()) else {
      Issue.record("it is not tried again")
      return
    }
    #expect(production.replacements == 1)
  }

  @Test func `devices that fail alike in numbers are kept`() async throws {
    production.say((400, "DeviceTokenNotForTopic"))
    let sender = try sender()
    for _ in 1..<20 {
      #expect(try await push(sender) == .rejected(reason: "DeviceTokenNotForTopic", forgetsTarget: true))
    }
    for _ in 0..<3 { #expect(postponed(try await push(sender)) == "DeviceTokenNotForTopic, as most") }
  }
}
