import Foundation
import LocalStack
import TestSupport
import Testing
import Transport

/// A foreign SignalR client in a process of its own, connected to the hub.
final class HubClient {
  /// How the client is started, beyond what it is.
  struct Options {
    /// Ends by itself after that many invocations; 0 is never.
    var count = 0
    /// Connects through a proxy, for `cut`.
    var isProxied = false
    /// The token goes in the query where the library would send a header.
    var isTokenInQuery = false
    /// The library's bugs stay as they are.
    var isStock = false
    /// Which in-app node it connects to, from 0.
    var node = 0
    /// The address of another node, in place of that.
    var url: String?
    /// The hub's path there.
    var path = "/hubs/notifications"

    fileprivate var arguments: [String] {
      ["--count", String(count)] + (isProxied ? ["--proxied"] : []) + (isTokenInQuery ? ["--in-query"] : [])
        + (isStock ? ["--stock"] : [])
    }
  }

  /// How a call of a hub method ended.
  struct Completion {
    /// `NSNull` for a method without a result.
    let result: Any?
    let error: String?
    /// What a stream gave before it ended.
    let items: [[String: Any]]

    /// The `seq` of the notifications that `Resume` returned.
    var seqs: [Int] { (result as? [[String: Any]] ?? items).compactMap { $0["seq"] as? Int } }
  }

  private let script: ScriptProcess
  private let http: HTTPClient

  /// Starts a client and waits until it is connected.
  static func connect(
    _ client: ForeignClient,
    to stack: TestStack,
    as person: Person,
    options: Options = Options()
  ) async throws -> HubClient {
    let nodes = stack.stack.services(.inapp)
    try #require(nodes.indices.contains(options.node))
    let url = options.url ?? nodes[options.node].url
    let script = try ScriptProcess(
      "Tests/Conformance/\(client.library.rawValue)_client.py",
      [
        "--url", url + options.path, "--token", person.token, "--deadline", "300",
        "--transport", client.transport.rawValue, "--protocol", client.encoding.rawValue,
      ] + options.arguments
    )
    let hub = HubClient(script: script, http: stack.http)
    try await eventually("\(client.testDescription) is connected") {
      try #require(script.isRunning, "\(script.output)")
      return try hub.connections() >= 1
    }
    return hub
  }

  /// As above, for a client that ends by itself after `count` invocations.
  static func connect(
    _ client: ForeignClient,
    to stack: TestStack,
    as person: Person,
    count: Int
  ) async throws -> HubClient {
    try await connect(client, to: stack, as: person, options: Options(count: count))
  }

  private init(script: ScriptProcess, http: HTTPClient) {
    self.script = script
    self.http = http
  }

  // MARK: What it received

  /// How often it has connected.
  func connections() throws -> Int { try script.events("connected").count }

  /// Invocations so far: target and arguments.
  func invocations() throws -> [(target: String, arguments: [Any])] {
    try script.events("invocation").compactMap { line in
      guard let target = line["target"] as? String else { return nil }
      return (target, line["arguments"] as? [Any] ?? [])
    }
  }

  /// Notifications received.
  func notifications() throws -> [[String: Any]] {
    try invocations().filter { $0.target == "ReceiveNotification" }.compactMap { $0.arguments.first as? [String: Any] }
  }

  /// Their `seq`, in the order of arrival.
  func seqs() throws -> [Int] { try notifications().compactMap { $0["seq"] as? Int } }

  /// Ids of the notifications that were said to be read.
  func readIDs() throws -> [String] {
    try invocations().filter { $0.target == "NotificationRead" }.compactMap { $0.arguments.first as? String }
  }

  /// The unread count last received.
  func unreadCount() throws -> Int? {
    try invocations().last { $0.target == "UnreadCountChanged" }?.arguments.first as? Int
  }

  // MARK: What it is told to do

  /// Calls a hub method and waits for its completion.
  func invoke(_ target: String, _ arguments: [Any] = []) async throws -> Completion {
    try await call("/invoke", target, arguments)
  }

  /// Calls a hub method for a stream and waits for its end.
  func stream(_ target: String, _ arguments: [Any] = []) async throws -> Completion {
    try await call("/stream", target, arguments)
  }

  /// Ends the client's connections as a lost network does, and keeps it from new ones until `release`.
  func cut() async throws { _ = try await control("/cut", [:]) }

  func release() async throws { _ = try await control("/release", [:]) }

  /// Ends the client's process without a goodbye.
  func kill() async { await script.kill() }

  private func call(_ path: String, _ target: String, _ arguments: [Any]) async throws -> Completion {
    let answer = try await control(path, ["target": target, "arguments": arguments])
    return Completion(
      result: answer["result"],
      error: answer["error"] as? String,
      items: answer["items"] as? [[String: Any]] ?? []
    )
  }

  /// Commands go over HTTP, as Tests/Conformance/control.py says.
  private func control(_ path: String, _ command: [String: Any]) async throws -> [String: Any] {
    let port = try #require(try script.events("control").first?["port"] as? Int)
    let request = HTTPRequest(
      method: "POST",
      url: "http://127.0.0.1:\(port)\(path)",
      headers: [(name: "Content-Type", value: "application/json")],
      body: Array(try JSONSerialization.data(withJSONObject: command)),
      timeout: .seconds(45)
    )
    return try Answer(await http.send(request)).expect(200).json
  }
}
