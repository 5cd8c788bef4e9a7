import NotificationModel
import SignalRProtocol

/// A client of long polling. What it sends goes over another TCP connection than its polls, as with real clients.
struct TestPolling: Sendable {
  let target: String
  let token: String
  let hubProtocol: HubProtocol
  let polls: TestConnection
  let posts: TestConnection

  /// Negotiates, polls once, shakes hands.
  static func open(
    _ hub: TestHub,
    _ user: UserID,
    as hubProtocol: HubProtocol = .json,
    path: String = "/hubs/notifications",
    lifetime: Duration = .seconds(600)
  ) async throws -> TestPolling {
    let token = try await TestHub.token(user, lifetime: lifetime)
    let client = TestPolling(
      target: "\(path)?id=\(try await hub.negotiate(token, path: path))",
      token: token,
      hubProtocol: hubProtocol,
      polls: try await hub.open(),
      posts: try await hub.open()
    )
    let first = try await client.poll()
    guard first.status == 200, first.bytes.isEmpty else { throw TestConnection.Unexpected(what: first.head) }
    _ = try await client.post(Array(TestHub.handshake(hubProtocol).utf8))
    while true {
      // On a slow machine a poll ends empty before, or pings follow.
      let answer = try await client.poll()
      guard answer.status == 200, answer.bytes.isEmpty || answer.body.hasPrefix("{}\u{1E}") else {
        throw TestConnection.Unexpected(what: answer.head + answer.body)
      }
      if !answer.bytes.isEmpty { return client }
    }
  }

  func poll() async throws -> TestConnection.Response {
    try await polls.request("GET", target, token: token)
  }

  /// Begins a poll whose answer is to be waited for.
  func beginPoll(over connection: TestConnection? = nil) async throws {
    try await (connection ?? polls).sendRequest("GET", target, token: token)
  }

  @discardableResult
  func post(_ bytes: [UInt8]) async throws -> TestConnection.Response {
    try await posts.sendRequest("POST", target, token: token, body: bytes)
    return try await posts.response()
  }

  @discardableResult
  func post(_ message: HubMessage) async throws -> TestConnection.Response {
    try await post(hubProtocol.encode(message))
  }

  func delete() async throws -> TestConnection.Response {
    try await posts.request("DELETE", target, token: token)
  }

  /// The next hub messages, at least one; pings are left out.
  func messages() async throws -> [HubMessage] {
    while true {
      let answer = try await poll()
      guard answer.status == 200 else { throw TestConnection.Closed() }
      let messages = try hubProtocol.messages(in: answer.bytes).filter { $0 != .ping }
      if !messages.isEmpty { return messages }
    }
  }
}
