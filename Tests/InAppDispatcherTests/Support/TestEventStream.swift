import NotificationModel
import SignalRProtocol

/// A client of Server-Sent Events. What it sends goes over another TCP connection.
struct TestEventStream: Sendable {
  let target: String
  let token: String
  let events: TestConnection
  let posts: TestConnection

  /// Negotiates, opens the stream, shakes hands.
  static func open(
    _ hub: TestHub,
    _ user: UserID,
    path: String = "/hubs/notifications",
    lifetime: Duration = .seconds(600)
  ) async throws -> TestEventStream {
    let token = try await TestHub.token(user, lifetime: lifetime)
    let client = TestEventStream(
      target: "\(path)?id=\(try await hub.negotiate(token, path: path))",
      token: token,
      events: try await hub.open(),
      posts: try await hub.open()
    )
    let answer = try await client.begin()
    guard answer.status == 200, try await client.events.bytes(3) == Array(":\r\n".utf8) else {
      throw TestConnection.Unexpected(what: answer.head)
    }
    try await client.post(TestHub.handshake)
    let handshake = try await client.events.event()
    guard handshake == "{}" else { throw TestConnection.Unexpected(what: handshake) }
    return client
  }

  /// Asks for the stream; answers its head.
  func begin(headers: [String: String] = [:]) async throws -> TestConnection.Response {
    try await events.request(
      "GET",
      target,
      token: token,
      headers: headers.merging(["Accept": "text/event-stream"]) { $1 }
    )
  }

  @discardableResult
  func post(_ text: String) async throws -> TestConnection.Response {
    try await posts.request("POST", target, token: token, body: text)
  }
}
