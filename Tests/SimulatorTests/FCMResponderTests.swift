import JSON
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
      ports: ListeningPorts()
    )
    authorization = "Bearer \(tokens.issue())"
  }

  private func send(_ message: String, authorization: String? = nil) -> (status: Int, body: JSONValue?) {
    let request = FCMRequest(
      path: "/v1/projects/p/messages:send",
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
      path: "/v1/projects/p/messages:send",
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

  @Test func `other paths, projects and methods are refused`() {
    let path = "/v1/projects/p/messages:send"
    #expect(read(responder.respond(to: FCMRequest(isPost: false, path: path, body: [])).0).status == 404)
    #expect(read(responder.respond(to: FCMRequest(path: "/x", body: [])).0).status == 404)
    #expect(read(responder.respond(to: FCMRequest(path: "/v1/projects/q/messages:send", body: [])).0).status == 403)
    #expect(read(responder.respond(to: FCMRequest(path: path, body: nil)).0).status == 400)
  }
}
