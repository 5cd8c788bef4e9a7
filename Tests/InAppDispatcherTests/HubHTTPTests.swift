import Authentication
import Foundation
import InAppDispatcher
import NotificationModel
import ServiceRuntime
import SignalRProtocol
import Synchronization
import Testing

@Suite struct HubHTTPTests {
  private struct Negotiated: Decodable {
    struct Transport: Decodable, Equatable {
      var transport: String
      var transferFormats: [String]
    }
    var negotiateVersion: Int
    var connectionId: String
    var connectionToken: String?
    var availableTransports: [Transport]
  }

  private func decode(_ response: TestConnection.Response) throws -> Negotiated {
    #expect(response.status == 200)
    #expect(response.head.contains("Content-Type: application/json"))
    return try JSONDecoder().decode(Negotiated.self, from: Data(response.body.utf8))
  }

  @Test(arguments: ["/hubs/notifications", "/hub/family"])
  func `negotiation hands out ids`(path: String) async throws {
    try await TestHub.run { hub in
      let client = try await hub.open()
      let token = try await TestHub.token(.random())
      let one = try decode(
        await client.request("POST", "\(path)/negotiate?negotiateVersion=1&id=stale", token: token, body: "a=b")
      )
      #expect(one.negotiateVersion == 1)
      #expect(one.connectionToken?.count == 22)
      #expect(one.connectionId.count == 22)
      #expect(one.connectionToken != one.connectionId)
      #expect(
        one.availableTransports == [
          .init(transport: "WebSockets", transferFormats: ["Text", "Binary"]),
          .init(transport: "ServerSentEvents", transferFormats: ["Text"]),
          .init(transport: "LongPolling", transferFormats: ["Text", "Binary"]),
        ]
      )
      let zero = try decode(await client.request("POST", "\(path)/negotiate?access_token=\(token)"))
      #expect(zero.negotiateVersion == 0)
      #expect(zero.connectionToken == nil)
      let bad = try await client.request("POST", "\(path)/negotiate?negotiateVersion=x", token: token)
      #expect(bad.status == 200)
      #expect(bad.body.hasPrefix(#"{"error":""#))
    }
  }

  @Test(arguments: ["/hubs/notifications/", "/Hubs/Notifications", "/HUB/family/"])
  func `the path's case and a slash at its end mean nothing, on any transport`(path: String) async throws {
    try await TestHub.run { hub in
      let anna = UserID.random()
      let token = try await TestHub.token(anna)
      let id = try await hub.negotiate(token, path: path)
      let socket = try await hub.open()
      #expect(try await socket.upgrade("\(path)?id=\(id)", token: token).status == 101)
      try await socket.shakeHands()
      _ = try await TestEventStream.open(hub, anna, path: path)
      let polls = try await TestPolling.open(hub, anna, path: path)
      try await hub.server.deliver([TestHub.unread(anna, 1)])
      #expect(try await socket.message() == TestHub.unreadMessage(1))
      #expect(try await polls.delete().status == 202)
      #expect(try await hub.open().request("OPTIONS", path).status == 204)
    }
  }

  @Test func `every hub route needs a valid token`() async throws {
    try await TestHub.run { hub in
      let client = try await hub.open()
      let expired = try await TestHub.token(.random(), lifetime: .seconds(-3_600))
      for token in [nil, "nonsense", expired] {
        for (method, path) in [
          ("POST", "/hubs/notifications/negotiate"), ("GET", "/hubs/notifications"), ("DELETE", "/hub/family?id=x"),
        ] {
          let answer = try await client.request(method, path, token: token)
          #expect(answer.status == 401)
          #expect(answer.head.contains("WWW-Authenticate: Bearer"))
        }
      }
      #expect(hub.server.statistics[.unauthorized] == 9)
    }
  }

  @Test func `wrong verbs, unknown paths and ids are told apart`() async throws {
    try await TestHub.run { hub in
      let client = try await hub.open()
      let token = try await TestHub.token(.random())
      for (method, path, status) in [
        ("GET", "/hubs/notifications/negotiate", 405), ("PUT", "/hubs/notifications", 405), ("GET", "/nowhere", 404),
        ("GET", "/hubs/notifications", 400), ("POST", "/hubs/notifications", 400),
        ("GET", "/hubs/notifications?id=unknown", 404), ("POST", "/hubs/notifications?id=unknown", 404),
        ("DELETE", "/hubs/notifications?id=unknown", 404), ("POST", "/health/live", 405),
      ] {
        #expect(try await client.request(method, path, token: token).status == status, "\(method) \(path)")
      }
      // What stands in the body of a negotiation means nothing.
      let body = String(repeating: "x", count: 100_000)
      #expect(try await client.request("POST", "/hubs/notifications/negotiate", token: token, body: body).status == 200)
    }
  }

  @Test func `a client that holds its body back is told to go on, or what is wrong`() async throws {
    try await TestHub.run { hub in
      let anna = UserID.random()
      let polls = try await TestPolling.open(hub, anna)
      let expecting = ["Expect": "100-Continue"]
      let call = #"{"type":1,"invocationId":"1","target":"X","arguments":[]}"# + "\u{1E}"
      try await polls.posts.sendRequest(
        "POST",
        polls.target,
        token: polls.token,
        headers: expecting.merging(["Content-Length": "\(call.utf8.count)"]) { $1 }
      )
      let interim = try await polls.posts.response()
      #expect(interim.head == "HTTP/1.1 100 Continue")
      try await polls.posts.send(call)
      #expect(try await polls.posts.response().status == 200)
      #expect(try await polls.messages() == [.completion(id: "1", .error(TestHub.missing("X")))])

      let stranger = try await hub.open()
      try await stranger.sendRequest("POST", polls.target, headers: expecting.merging(["Content-Length": "9"]) { $1 })
      let refused = try await stranger.response()
      #expect(refused.status == 401)
      #expect(refused.values("Connection") == ["close"])
      try await stranger.waitForEnd()
    }
  }

  @Test func `a token whose subject is no user is forbidden`() async throws {
    try await TestHub.run { hub in
      let client = try await hub.open()
      let token = try TokenMinter.mint(secret: TestHub.secret, subject: "backend", roles: [.service])
      #expect(try await client.request("POST", "/hubs/notifications/negotiate", token: token).status == 403)
    }
  }

  @Test func `allowed pages get the headers they need, on errors too`() async throws {
    try await TestHub.run { hub in
      let client = try await hub.open()
      let path = "/hubs/notifications/negotiate"
      let preflight = try await client.request(
        "OPTIONS",
        path,
        headers: ["Origin": "https://app.example", "Access-Control-Request-Headers": "x-signalr-user-agent"]
      )
      #expect(preflight.status == 204)
      #expect(preflight.head.contains("Access-Control-Allow-Origin: https://app.example\r\n"))
      #expect(preflight.head.contains("Access-Control-Allow-Headers: authorization, content-type, x-requested-with"))
      let refused = try await client.request("POST", path, headers: ["Origin": "https://app.example"])
      #expect(refused.status == 401)
      #expect(refused.head.contains("Access-Control-Allow-Origin: https://app.example"))
      #expect(refused.head.contains("Access-Control-Allow-Credentials: true"))
      let foreign = try await client.request("OPTIONS", path, headers: ["Origin": "https://evil.example"])
      #expect(!foreign.head.contains("Access-Control-Allow-Origin"))
    }
  }

  @Test func `ready follows the checks, live does not`() async throws {
    let isConnected = SharedFlag()
    var checks = HealthChecks()
    checks.add("broker is connected") { isConnected.value.withLock(\.self) }
    try await TestHub.run(checks: checks) { hub in
      let client = try await hub.open()
      #expect(try await client.request("GET", "/health/live").status == 200)
      let red = try await client.request("GET", "/health/ready")
      #expect(red.status == 503)
      #expect(red.body == #"{"status":"not ready","failing":["broker is connected"]}"#)
      isConnected.value.withLock { $0 = true }
      #expect(try await client.request("GET", "/health/ready").status == 200)
    }
  }

  @Test func `what is the operator's alone is not said on the hub's port`() async throws {
    var checks = HealthChecks()
    checks.add(open: "catalogue") { "catalogue: version 8 cannot be read: types[0] is wrong" }
    checks.tell("catalogue", open: { "file" }) { "file /etc/belfry/ours.yaml" }
    try await TestHub.run(checks: checks) { hub in
      let answer = try await hub.open().request("GET", "/health/ready")
      #expect(answer.body == #"{"status":"not ready","failing":["catalogue"],"catalogue":"file"}"#)
    }
  }

  @Test func `a connection without a complete request is closed`() async throws {
    try await TestHub.run(adjust: { $0.limits.requestTimeout = .seconds(2) }) { hub in
      let client = try await hub.open()
      try await client.send("GET /health/live HTTP/1.1\r\n")
      try await client.waitForEnd()
    }
  }
}

private final class SharedFlag: Sendable {
  let value = Mutex(false)
}
