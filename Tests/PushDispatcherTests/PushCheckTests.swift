import Cryptography
import Foundation
import NotificationModel
import Settings
import Synchronization
import TestSupport
import Testing

@testable import PushDispatcher
@testable import Transport

/// What `belfry check push` finds out.
@Suite struct PushCheckTests {
  /// Answers each request as a test says, and keeps it.
  private final class ScriptedServer: HTTPSender {
    private let requests = Mutex<[HTTPRequest]>([])
    private let answer: @Sendable (HTTPRequest) -> HTTPResponse?

    init(answer: @escaping @Sendable (HTTPRequest) -> HTTPResponse?) {
      self.answer = answer
    }

    var all: [HTTPRequest] { requests.withLock(\.self) }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
      requests.withLock { $0.append(request) }
      guard let response = answer(request) else {
        throw TransportError(.timeout, isTransient: true, mayHaveBeenProcessed: true)
      }
      return response
    }
  }

  private static let date = Date(timeIntervalSince1970: 1_800_000_000)

  private static func response(_ status: Int, _ body: String) -> HTTPResponse {
    HTTPResponse(
      status: status,
      headers: HTTPHeaders(lines: Array("date: Fri, 15 Jan 2027 08:00:00 GMT\r\n".utf8)),
      body: Array(body.utf8),
      httpVersion: "2"
    )
  }

  // MARK: FCM

  private func fcm(token: (Int, String) = (200, #"{"access_token":"t","expires_in":3600}"#), clock: TimeInterval = 0)
    throws -> (check: @Sendable (Int, String) async throws -> [PushFinding], requests: @Sendable () -> [HTTPRequest])
  {
    let server = Mutex<ScriptedServer?>(nil)
    let key = try PrivateKey(.rsa).pem
    let (status, body) = token
    return (
      check: { pushStatus, pushBody in
        let scripted = ScriptedServer { request in
          request.url.hasSuffix("/token") ? Self.response(status, body) : Self.response(pushStatus, pushBody)
        }
        server.withLock { $0 = scripted }
        let account = ServiceAccount(
          projectID: "p",
          privateKeyID: "k",
          privateKey: key,
          clientEmail: "belfry@example.com",
          tokenURI: "https://oauth.example/token"
        )
        return await FCMCheck(
          url: "https://fcm.example/v1/projects/p/messages:send",
          project: "p",
          client: scripted,
          tokens: try AccessTokens(account: account, client: scripted, logger: .quiet),
          now: { Self.date + clock }
        ).run()
      },
      requests: { server.withLock { $0?.all ?? [] } }
    )
  }

  @Test func `FCM is asked to validate a push, and sends none`() async throws {
    let (check, requests) = try fcm()
    let findings = try await check(200, #"{"name":"projects/p/messages/fake_message_id"}"#)
    #expect(findings.map(\.isGood) == [true, true, true])
    #expect(findings.last?.text == "FCM takes pushes of the project p (dry run: nothing was sent)")
    let push = try #require(requests().last)
    #expect(push.url == "https://fcm.example/v1/projects/p/messages:send")
    let body = String(decoding: push.body, as: UTF8.self)
    #expect(body == #"{"validate_only":true,"message":{"topic":"belfry-check"}}"#)
  }

  @Test func `what FCM refuses is said in its words`() async throws {
    let (check, _) = try fcm()
    for (status, body, expected) in [
      (403, #"{"error":{"status":"PERMISSION_DENIED"}}"#, "does not let the project p send (PERMISSION_DENIED)"),
      (401, "{}", "refuses the service account's access token"),
      (503, #"{"error":{"status":"UNAVAILABLE"}}"#, "answers the dry run with UNAVAILABLE"),
      (429, "{}", "a quota of the project p is used up"),
    ] {
      let last = try #require(try await check(status, body).last)
      #expect(!last.isGood && last.text.contains(expected), "\(last.text)")
    }
  }

  @Test func `without an access token nothing more is asked, and why is said`() async throws {
    let (check, requests) = try fcm(token: (400, #"{"error":"invalid_grant"}"#))
    let findings = try await check(200, "{}")
    #expect(findings.map(\.isGood) == [false])
    #expect(findings[0].text.contains("invalid_grant"))
    #expect(requests().count == 1)
  }

  @Test(arguments: [(61.5, "62 s ahead of"), (-90, "90 s behind")])
  func `a clock that is wrong is found by the answer's date`(_ clock: TimeInterval, _ words: String) async throws {
    let (check, _) = try fcm(clock: clock)
    let findings = try await check(200, #"{"name":"n"}"#)
    #expect(findings.map(\.isGood) == [true, false, true])
    #expect(findings[1].text == "this machine's clock is \(words) the provider's: set it by NTP")
  }

  @Test func `a key file that is none is named`() async throws {
    let settings = Settings(variables: [
      "BELFRY_DATABASE_URL": "postgresql://127.0.0.1/belfry", "BELFRY_BROKER_URL": "amqp://127.0.0.1/",
      "BELFRY_PUSH_SERVICE_ACCOUNT_FILE": "/nowhere/account.json",
    ])
    let configuration = PushConfiguration(settings)
    try settings.validate()
    let findings = await PushCheck.run(configuration, logger: .quiet)
    #expect(findings.map(\.provider) == ["fcm"])
    #expect(findings.map(\.isGood) == [false])
    #expect(findings[0].text.hasPrefix("cannot read the service account file /nowhere/account.json"))
  }

  // MARK: APNs

  private func apns(_ response: HTTPResponse?) async throws -> (findings: [PushFinding], request: HTTPRequest?) {
    let server = ScriptedServer { _ in response }
    let findings = await APNsCheck(
      environment: .sandbox,
      origin: "https://apns.example",
      topic: "com.example.app",
      client: server,
      tokens: ProviderTokens(key: try PrivateKey(.p256), keyID: "ABCDE12345", teamID: "FGHIJ67890"),
      now: { Self.date }
    ).run()
    return (findings, server.all.first)
  }

  @Test func `APNs takes the key if it refuses the device alone`() async throws {
    let (findings, request) = try await apns(Self.response(400, #"{"reason":"BadDeviceToken"}"#))
    #expect(findings.map(\.isGood) == [true, true])
    #expect(request?.url == "https://apns.example/3/device/" + String(repeating: "0", count: 64))
    #expect(request?.headers.contains { $0.name == "apns-topic" && $0.value == "com.example.app" } == true)
  }

  @Test(arguments: ["InvalidProviderToken", "BadEnvironmentKeyInToken", "TopicDisallowed", "ExpiredProviderToken"])
  func `APNs' reason is said where the key, the team, the topic or the clock is wrong`(_ reason: String) async throws {
    let (findings, _) = try await apns(Self.response(403, #"{"reason":"\#(reason)"}"#))
    let last = try #require(findings.last)
    #expect(!last.isGood && last.text.hasPrefix("sandbox: APNs says \(reason)"), "\(last.text)")
  }

  @Test func `a service that does not answer is no good`() async throws {
    let (findings, _) = try await apns(nil)
    #expect(findings.map(\.isGood) == [false])
  }

  // MARK: Web Push

  private func webPush(_ response: HTTPResponse?) async throws -> (findings: [PushFinding], request: HTTPRequest?) {
    let server = ScriptedServer { _ in response }
    let findings = await WebPushCheck(
      signatures: VAPIDSignatures(keys: [try VAPIDKey(PrivateKey(.p256))], subject: "mailto:a@example.com"),
      client: server,
      now: { Self.date }
    ).run()
    return (findings, server.all.first)
  }

  @Test func `keys that can be read are named by their ids, by which devices and logs know them`() throws {
    let keys = [try VAPIDKey(PrivateKey(.p256)), try VAPIDKey(PrivateKey(.p256))]
    let findings = WebPushFactory.findings(of: keys)
    #expect(findings.map(\.isGood) == [true, true])
    #expect(findings[0].text == "the VAPID key \(keys[0].id) can be read; its public half is \(keys[0].publicText)")
    #expect(findings[1].text.hasPrefix("the previous VAPID key \(keys[1].id) can be read"))
  }

  @Test func `a push service that answers is reached, whatever it says of a subscription that is none`() async throws {
    let (findings, request) = try await webPush(Self.response(404, ""))
    #expect(findings.map(\.isGood) == [true, true])
    #expect(request?.url == WebPushCheck.endpoint)
    #expect(request?.headers.first { $0.name == "Authorization" }?.value.hasPrefix("vapid t=") == true)
  }

  @Test func `a push service that does not answer is no good`() async throws {
    let (findings, _) = try await webPush(nil)
    #expect(findings.map(\.isGood) == [false])
    #expect(findings[0].text.contains("updates.push.services.mozilla.com does not answer"))
  }
}
