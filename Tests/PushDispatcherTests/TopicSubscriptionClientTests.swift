import Cryptography
import Foundation
import Logging
import Synchronization
import TestSupport
import Testing

@testable import NotificationStore
@testable import PushDispatcher
@testable import Transport

/// How FCM is told of a subscription, and what is made of its answer.
@Suite struct TopicSubscriptionClientTests {
  private typealias Change = TopicRegistrationStore.Change

  private static func change(_ isWanted: Bool = true, attempts: Int = 0) -> Change {
    Change(address: "fid:APA91b/x y", topic: "100%25", isWanted: isWanted, attempts: attempts)
  }

  private static func response(_ status: Int, _ body: String = "", retryAfter: Int? = nil) -> HTTPResponse {
    HTTPResponse(
      status: status,
      headers: HTTPHeaders(lines: Array((retryAfter.map { "Retry-After: \($0)\r\n" } ?? "").utf8)),
      body: Array(body.utf8),
      httpVersion: "2"
    )
  }

  private static func failure(_ code: String) -> String {
    #"{"error":{"details":[{"@type":"type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode":"\#(code)"}]}}"#
  }

  private static func quota(_ subject: String) -> String {
    """
    {"error":{"details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"subject":"\(subject)"}]}]}}
    """
  }

  private func answer(_ response: HTTPResponse, _ isWanted: Bool = true, attempts: Int = 0) -> TopicSubscriptionClient
    .Answer?
  {
    TopicSubscriptionClient.answer(response, to: Self.change(isWanted, attempts: attempts))
  }

  /// Nil if it is not told again.
  private func waits(_ answer: TopicSubscriptionClient.Answer?) -> Duration? {
    guard case .outcome(.again(let wait, _)) = answer else { return nil }
    return wait
  }

  @Test(arguments: [
    (200, #"{"name":"n"}"#), (200, "{}"), (409, "{}"), (409, #"{"error":{"status":"ALREADY_EXISTS"}}"#),
  ])
  func `a subscription that is there is what is wanted, whoever made it`(_ status: Int, _ body: String) {
    #expect(answer(Self.response(status, body)) == .outcome(.done))
  }

  @Test(arguments: [
    (200, "{}"), (404, #"{"error":{"status":"NOT_FOUND"}}"#), (404, failure("UNREGISTERED")),
    (400, failure("INVALID_ARGUMENT")), (403, failure("SENDER_ID_MISMATCH")),
  ])
  func `what FCM does not know has ended`(_ status: Int, _ body: String) {
    #expect(answer(Self.response(status, body), false) == .outcome(.done))
  }

  @Test(arguments: [
    (404, "<html>"), (400, ""), (400, #"{"error":{"status":"FAILED_PRECONDITION"}}"#), (403, failure("OTHER")),
    (405, ""), (408, ""), (409, #"{"error":{"status":"ABORTED"}}"#), (302, ""),
  ])
  func `what says nothing about the device is told again soon, also that a subscription ends`(
    _ status: Int,
    _ body: String
  ) {
    for isWanted in [true, false] { #expect(waits(answer(Self.response(status, body), isWanted)) == .seconds(10)) }
  }

  @Test(arguments: [(404, "UNREGISTERED"), (400, "INVALID_ARGUMENT"), (403, "SENDER_ID_MISMATCH")])
  func `a device that FCM does not know is asked about again tomorrow`(_ status: Int, _ code: String) {
    let expected = TopicSubscriptionClient.Answer.outcome(.again(after: .seconds(86_400), reason: code))
    #expect(answer(Self.response(status, Self.failure(code))) == expected)
  }

  @Test func `a quota holds back whom it is about`() {
    #expect(
      answer(Self.response(429, Self.quota("project:p"), retryAfter: 30))
        == .pause(.seconds(30), reason: "QUOTA_EXCEEDED")
    )
    #expect(
      answer(Self.response(429, Self.quota("project:p"), retryAfter: 1))
        == .pause(.seconds(10), reason: "QUOTA_EXCEEDED")
    )
    for subject in ["device:x", "topic:news", ""] {
      #expect(waits(answer(Self.response(429, Self.quota(subject), retryAfter: 30))) == .seconds(30))
    }
  }

  @Test func `whatever may pass waits longer each time, up to an hour, and never less than FCM says`() throws {
    for (status, isWanted) in [(503, true), (500, false), (403, true), (404, true)] {
      for (attempts, longest) in [(0, 10), (1, 20), (3, 80), (9, 3_600), (60, 3_600)] {
        let wait = try #require(waits(answer(Self.response(status), isWanted, attempts: attempts)))
        #expect(wait >= .seconds(max(10, longest / 2)) && wait <= .seconds(longest), "\(status) \(attempts): \(wait)")
      }
    }
    #expect(waits(answer(Self.response(503, retryAfter: 600))) == .seconds(600))
  }

  @Test func `a refused access token is no answer`() {
    #expect(answer(Self.response(401)) == nil)
  }

  // MARK: Calls

  private final class Server: HTTPSender {
    private let state = Mutex((requests: [HTTPRequest](), tokens: 0))
    private let statuses: [Int]

    init(_ statuses: [Int]) { self.statuses = statuses }

    var requests: [HTTPRequest] { state.withLock(\.requests) }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
      if request.url.hasSuffix("/token") {
        let number = state.withLock { state in
          state.tokens += 1
          return state.tokens
        }
        return TopicSubscriptionClientTests.response(200, #"{"access_token":"t\#(number)","expires_in":3600}"#)
      }
      let number = state.withLock { state in
        state.requests.append(request)
        return state.requests.count
      }
      return TopicSubscriptionClientTests.response(statuses[number - 1], "{}")
    }
  }

  private func subscriptions(_ server: Server) throws -> TopicSubscriptionClient {
    let account = ServiceAccount(
      projectID: "p",
      privateKeyID: "k",
      privateKey: try PrivateKey(.rsa).pem,
      clientEmail: "belfry@example.com",
      tokenURI: "https://oauth.example/token"
    )
    return TopicSubscriptionClient(
      url: "https://fcm.example/v1/projects/p/registrations",
      client: server,
      tokens: try AccessTokens(account: account, client: server, logger: .quiet)
    )
  }

  @Test func `FCM's own calls are made, and those of the old service never`() async throws {
    let server = Server([200, 200])
    let subscriptions = try subscriptions(server)
    #expect(await subscriptions.apply(Self.change(), before: .now + .seconds(30)) == .outcome(.done))
    #expect(await subscriptions.apply(Self.change(false), before: .now + .seconds(30)) == .outcome(.done))
    let path = "https://fcm.example/v1/projects/p/registrations/fid%3AAPA91b%2Fx%20y/topicSubscriptions"
    #expect(
      server.requests.map { "\($0.method) \($0.url) \(String(decoding: $0.body, as: UTF8.self))" } == [
        "POST \(path)?topic_name=100%2525 {}", "DELETE \(path)/100%2525?allow_missing=true ",
      ]
    )
    #expect(server.requests.allSatisfy { $0.headers.contains { $0 == ("Authorization", "Bearer t1") } })
  }

  @Test func `a refused access token is replaced once`() async throws {
    let server = Server([401, 200, 401, 401])
    let subscriptions = try subscriptions(server)
    #expect(await subscriptions.apply(Self.change(), before: .now + .seconds(30)) == .outcome(.done))
    #expect(server.requests.last?.headers.last?.value == "Bearer t2")
    guard
      case .outcome(.again(_, "UNAUTHENTICATED")) = await subscriptions.apply(
        Self.change(),
        before: .now + .seconds(30)
      )
    else {
      Issue.record("it is not tried again")
      return
    }
    #expect(server.requests.count == 4)
  }

  @Test func `no call begins once the claim may be another's`() async throws {
    let server = Server([200, 200])
    let late = try await subscriptions(server).apply(Self.change(), before: .now - .seconds(1))
    #expect(late == .cancelled && server.requests.isEmpty)
  }
}
