import BelfryJSON
import Testing

@testable import Simulator

struct FCMResponderTests {
  private let responder: FCMResponder
  private let authorization: String

  init() throws {
    let tokens = AccessTokens(lifetime: .seconds(60))
    responder = FCMResponder(
      account: try DataDirectory.temporary { try ServiceAccount(project: "p", directory: $0) },
      tokens: tokens,
      faults: FaultList(random: { 0 }),
      log: PushLog(maximumCount: 10, maximumBytes: 1_000_000),
      subscriptions: TopicSubscriptions(),
      ports: ListeningPorts()
    )
    authorization = "Bearer \(tokens.issue())"
  }

  private func send(_ message: String, authorization: String? = nil) -> (status: Int, body: JSONValue?) {
    let request = FCMRequest(
      target: "/v1/projects/p/messages:send",
      authorization: authorization ?? self.authorization,
      body: Array(#"{"message": \#(message)}"#.utf8)
    )
    return read(responder.respond(to: request).0)
  }

  private func read(_ reply: FCMReply) -> (status: Int, body: JSONValue?) {
    guard case .answer(let status, let body, _) = reply else { return (0, nil) }
    do { return (status, try JSONParser.parse(body)) } catch { return (status, nil) }
  }

  @Test func `an accepted push is named, kept and counted`() {
    let answer = send(#"{"token": "t"}"#)
    #expect(answer.status == 200)
    #expect(answer.body?["name"]?.string?.hasPrefix("projects/p/messages/0:") == true)
    #expect(responder.log.summary().accepted == 1)
    #expect(responder.log.summary().attempts == ["200": 1])
  }

  @Test func `without a good access token nothing is looked at`() {
    #expect(send("{}", authorization: "Bearer other").status == 401)
    #expect(send("{}", authorization: "Basic x").body?["error"]?["status"] == .string("UNAUTHENTICATED"))
    responder.tokens.revokeAll()
    #expect(send(#"{"token": "t"}"#).status == 401)
    #expect(responder.log.summary().accepted == 0)
  }

  @Test func `a validated message is answered but not kept`() {
    let request = FCMRequest(
      target: "/v1/projects/p/messages:send",
      authorization: authorization,
      body: Array(#"{"validate_only": true, "message": {"token": "t"}}"#.utf8)
    )
    #expect(read(responder.respond(to: request).0).body?["name"] == .string("projects/p/messages/fake_message_id"))
    #expect(responder.log.summary().accepted == 0)
  }

  @Test func `an injected error is answered, and the push kept only if the fault says so`() {
    _ = responder.faults.add(.init(channel: .push, target: "a"), FaultEffect(kind: .unregistered), times: nil)
    _ = responder.faults.add(
      .init(channel: .push, target: "b"),
      FaultEffect(kind: .unavailable, retryAfter: 7, accepts: true),
      times: nil
    )
    #expect(send(#"{"token": "a"}"#).status == 404)
    #expect(responder.log.summary().accepted == 0)
    #expect(send(#"{"token": "b"}"#).status == 503)
    #expect(responder.log.summary().accepted == 1)
  }

  @Test(arguments: [
    (FaultEffect.QuotaScope.project, #"{"token": "t"}"#, "project:p"), (.device, #"{"token": "t"}"#, "device:t"),
    (.device, #"{"fid": "f"}"#, "device:f"), (.topic, #"{"topic": "news"}"#, "topic:news"),
    (.topic, #"{"condition": "'a' in topics"}"#, "topic:'a' in topics"),
  ])
  func `a quota says whose it is, and when to come back`(
    scope: FaultEffect.QuotaScope,
    message: String,
    subject: String
  ) throws {
    _ = responder.faults.add(.init(channel: .push), FaultEffect(kind: .quota, retryAfter: 30, scope: scope), times: 1)
    let request = FCMRequest(
      target: "/v1/projects/p/messages:send",
      authorization: authorization,
      body: Array(#"{"message": \#(message)}"#.utf8)
    )
    guard case .answer(429, let body, retryAfter: 30) = responder.respond(to: request).0 else {
      Issue.record("it was not refused")
      return
    }
    let details = try #require(try JSONParser.parse(body)["error"]?["details"]?.array)
    #expect(details.first { $0["errorCode"] != nil }?["errorCode"] == .string("QUOTA_EXCEEDED"))
    let failure = try #require(details.first { $0["@type"] == .string("type.googleapis.com/google.rpc.QuotaFailure") })
    #expect(failure["violations"]?.array?.compactMap { $0["subject"]?.string } == [subject])
    #expect(send(message).status == 200)
  }

  @Test func `a quota without a scope says nothing of it`() throws {
    _ = responder.faults.add(.init(channel: .push), FaultEffect(kind: .quota), times: nil)
    let details = try #require(send(#"{"token": "t"}"#).body?["error"]?["details"]?.array)
    #expect(details.count == 1)
  }

  @Test func `topic subscriptions need a good access token too`() {
    let target = "/v1/projects/p/registrations/t/topicSubscriptions?topic_name=news"
    #expect(read(responder.respond(to: FCMRequest(target: target)).0).status == 401)
    #expect(read(responder.respond(to: FCMRequest(target: target, authorization: authorization)).0).status == 200)
  }

  @Test func `other paths, projects and methods are refused`() {
    let path = "/v1/projects/p/messages:send"
    #expect(read(responder.respond(to: FCMRequest(method: "GET", target: path)).0).status == 404)
    #expect(read(responder.respond(to: FCMRequest(method: "DELETE", target: path)).0).status == 404)
    #expect(read(responder.respond(to: FCMRequest(target: "/x")).0).status == 404)
    #expect(read(responder.respond(to: FCMRequest(target: "/v1/projects/q/messages:send")).0).status == 403)
    #expect(read(responder.respond(to: FCMRequest(target: path, body: nil)).0).status == 400)
  }
}
