import Authentication
import Cryptography
import Foundation
import BelfryJSON
import Testing

@testable import Simulator

struct APNsResponderTests {
  private let account: APNsAccount
  private let devices = APNsDevices()
  private let faults = FaultList(random: { 0 })
  private let log = APNsLog(maximumCount: 100, maximumBytes: 1_000_000)
  private let now = Date(timeIntervalSince1970: 1_800_000_000)
  private let token = String(repeating: "0a", count: 32)

  init() throws {
    account = try DataDirectory.temporary { try APNsAccount(directory: $0) }
  }

  private func responder(_ environment: APNsEnvironment = .production) -> APNsResponder {
    APNsResponder(
      environment: environment,
      account: account,
      devices: devices,
      faults: faults,
      log: log,
      clock: { [now] in now }
    )
  }

  private struct Claims: Encodable {
    let iss: String
    let iat: Int
  }

  /// - Parameter age: In seconds.
  private func bearer(
    _ environment: APNsEnvironment = .production,
    team: String = APNsAccount.teamID,
    keyID: String? = nil,
    key: PrivateKey? = nil,
    age: Int = 0
  ) throws -> String {
    let own = try #require(account.keys.first { $0.environment == environment })
    let signer = TokenSigner(key: key ?? own.key, keyID: keyID ?? own.id)
    return "bearer \(try signer.sign(Claims(iss: team, iat: Int(now.timeIntervalSince1970) - age)))"
  }

  /// A push with these headers in place of its own; an empty one is left out.
  private func request(
    _ authorization: String,
    _ changes: [String: String] = [:],
    method: String = "POST",
    path: String? = nil,
    body: String = #"{"aps":{"alert":"Hello"},"notificationId":"n-1"}"#
  ) -> ReceivedRequest {
    var headers = [
      "authorization": authorization, "apns-topic": APNsAccount.topic, "apns-push-type": "alert", "apns-priority": "10",
      "apns-id": "123e4567-e89b-12d3-a456-42661417400a",
    ]
    headers.merge(changes) { $1 }
    return ReceivedRequest(
      method: method,
      path: path ?? "/3/device/\(token)",
      headers: headers.filter { !$0.value.isEmpty }.map { (name: $0.key, value: $0.value) },
      body: Array(body.utf8)
    )
  }

  private func reason(_ request: ReceivedRequest, _ environment: APNsEnvironment = .production) -> String? {
    var connection = APNsConnection()
    guard case .answer(_, _, let reason, _, _) = responder(environment).respond(to: request, on: &connection).0 else {
      return "no answer"
    }
    return reason
  }

  @Test func `an accepted push is answered with its id, kept and counted`() throws {
    var connection = APNsConnection()
    let (reply, delay) = responder().respond(to: request(try bearer()), on: &connection)
    #expect(reply == .answer(status: 200, id: "123e4567-e89b-12d3-a456-42661417400a") && delay == .zero)
    let record = try #require(log.records(after: 0, limit: 10) { _ in true }.first)
    #expect(record.environment == .production && record.push.token == token)
    #expect(record.push.notificationID == "n-1")
    #expect(!record.push.headers.contains { $0.name == "authorization" })
    let summary = log.summary()
    #expect(
      summary.accepted == 1 && summary.environments == [.production: 1] && summary.providerTokens == 1
        && summary.attempts == ["200": 1]
    )
  }

  @Test func `who has no good token is refused before anything is looked at`() throws {
    #expect(reason(request("")) == "MissingProviderToken")
    #expect(reason(request("basic x")) == "InvalidProviderToken")
    #expect(reason(request("bearer a.b.c")) == "InvalidProviderToken")
    #expect(reason(request(try bearer(team: "OTHERTEAM1"))) == "InvalidProviderToken")
    #expect(reason(request(try bearer(keyID: "OTHERKEY12"))) == "InvalidProviderToken")
    #expect(reason(request(try bearer(key: try PrivateKey(.p256)))) == "InvalidProviderToken")
    #expect(reason(request(try bearer(age: -301))) == "InvalidProviderToken")
    #expect(reason(request(try bearer(age: 3_601))) == "ExpiredProviderToken")
    #expect(reason(request(try bearer(.sandbox))) == "BadEnvironmentKeyInToken")
    #expect(log.summary().accepted == 0)
  }

  @Test func `a connection is bound to its key, and its tokens follow each other slowly`() throws {
    var connection = APNsConnection()
    func answer(_ authorization: String) -> String? {
      guard case .answer(_, _, let reason, _, _) = responder().respond(to: request(authorization), on: &connection).0
      else { return "no answer" }
      return reason
    }
    #expect(try answer(bearer(age: 1_800)) == nil)
    #expect(try answer(bearer(age: 601)) == "TooManyProviderTokenUpdates")
    #expect(try answer(bearer(age: 600)) == nil)
    #expect(log.summary().providerTokens == 2)
  }

  @Test(arguments: [
    (["apns-topic": ""], "MissingTopic"), (["apns-topic": "com.example.other"], "TopicDisallowed"),
    (["apns-topic": "com example"], "BadTopic"), (["apns-id": "1"], "BadMessageId"),
    (["apns-priority": "7"], "BadPriority"), (["apns-push-type": "background"], "BadPriority"),
    (["apns-push-type": "loud"], "InvalidPushType"), (["apns-expiration": "soon"], "BadExpirationDate"),
    (["apns-collapse-id": String(repeating: "k", count: 65)], "BadCollapseId"),
    (["apns-collapse-id": String(repeating: "k", count: 64), "apns-expiration": "0"], nil),
  ])
  func `every header is read as strictly as Apple does`(changes: [String: String], expected: String?) throws {
    #expect(reason(request(try bearer(), changes)) == expected)
  }

  @Test func `path, method, body and repeated headers are looked at, too`() throws {
    let bearer = try bearer()
    #expect(reason(request(bearer, method: "GET")) == "MethodNotAllowed")
    #expect(reason(request(bearer, path: "/4/device/\(token)")) == "BadPath")
    #expect(reason(request(bearer, path: "/3/device/")) == "MissingDeviceToken")
    #expect(reason(request(bearer, path: "/3/device/xyz")) == "BadDeviceToken")
    #expect(reason(request(bearer, body: "")) == "PayloadEmpty")
    #expect(reason(request(bearer, body: "{}")) == "PayloadEmpty")
    let text = String(repeating: "x", count: 4_096 - #"{"aps":{"alert":""}}"#.utf8.count)
    #expect(reason(request(bearer, body: #"{"aps":{"alert":"\#(text)"}}"#)) == nil)
    #expect(reason(request(bearer, body: #"{"aps":{"alert":"\#(text)x"}}"#)) == "PayloadTooLarge")
    var twice = request(bearer)
    twice.headers.append((name: "apns-topic", value: APNsAccount.topic))
    #expect(reason(twice) == "DuplicateHeaders")
  }

  @Test func `a token is one environment's and one app's, and may be gone`() throws {
    let gone = Date(timeIntervalSince1970: 1_700_000_000)
    #expect(devices.put(.init(environment: .sandbox), token: token.uppercased()))
    #expect(reason(request(try bearer())) == "BadDeviceToken")
    #expect(reason(request(try bearer(.sandbox)), .sandbox) == nil)
    #expect(devices.put(.init(topic: "\(APNsAccount.topic).other"), token: token))
    #expect(reason(request(try bearer())) == "DeviceTokenNotForTopic")
    #expect(devices.put(.init(unregistered: gone), token: token))
    var connection = APNsConnection()
    let (reply, _) = responder().respond(to: request(try bearer()), on: &connection)
    #expect(
      reply
        == .refusal(.unregistered, id: "123e4567-e89b-12d3-a456-42661417400a", timestamp: 1_700_000_000_000)
    )
  }

  @Test(arguments: APNsReason.allCases)
  func `every reason can be asked for`(wanted: APNsReason) throws {
    let json = #"{"match":{"token":"\#(token)"},"effect":{"kind":"reason","text":"\#(wanted.rawValue)"}}"#
    let fault = try FaultReader.read(Array(json.utf8))
    #expect(fault.match.channel == .apns)
    _ = faults.add(fault.match, fault.effect, times: 1)
    var connection = APNsConnection()
    guard
      case .answer(let status, _, let reason, let timestamp, _) = responder().respond(
        to: request(try bearer()),
        on: &connection
      ).0
    else {
      Issue.record("no answer")
      return
    }
    #expect(status == wanted.status && reason == wanted.rawValue)
    #expect((timestamp != nil) == (wanted.status == 410))
    #expect(self.reason(request(try bearer())) == nil, "once")
  }

  @Test func `a goodbye is a fault, and what nobody knows is refused by name`() throws {
    let goodbye = try FaultReader.read(Array(#"{"effect":{"kind":"goaway","text":"Shutdown"}}"#.utf8))
    #expect(goodbye.match.channel == .apns)
    _ = faults.add(goodbye.match, goodbye.effect, times: 1)
    var connection = APNsConnection()
    let (reply, _) = responder().respond(to: request(try bearer()), on: &connection)
    #expect(reply == .goodbye(reason: "Shutdown"))
    for (json, field) in [
      (#"{"effect":{"kind":"reason","text":"NoSuchReason"}}"#, "effect.text"),
      (#"{"effect":{"kind":"reason"}}"#, "effect.text"),
      (#"{"match":{"channel":"push"},"effect":{"kind":"goaway"}}"#, "effect.kind"),
    ] {
      let error = #expect(throws: ControlError.self) { _ = try FaultReader.read(Array(json.utf8)) }
      #expect(error?.field == field)
    }
  }

  @Test func `what is told of a device is read strictly`() throws {
    let (token, device) = try APNsControl.device(
      Array(#"{"token":"0a","environment":"sandbox","unregisteredAt":"2023-11-14T22:13:20Z"}"#.utf8)
    )
    #expect(token == "0a" && device.environment == .sandbox)
    #expect(device.unregistered == Date(timeIntervalSince1970: 1_700_000_000))
    for (json, field) in [
      ("[]", "body"), ("{}", "token"), (#"{"token":""}"#, "token"), (#"{"token":"0a","env":"x"}"#, "env"),
      (#"{"token":"0a","environment":"test"}"#, "environment"),
      (#"{"token":"0a","unregisteredAt":"soon"}"#, "unregisteredAt"), (#"{"token":1}"#, "token"),
    ] {
      let error = #expect(throws: ControlError.self) { _ = try APNsControl.device(Array(json.utf8)) }
      #expect(error?.field == field, "\(json)")
    }
  }
}
