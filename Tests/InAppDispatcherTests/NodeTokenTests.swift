import Foundation
import NotificationModel
import Settings
import SignalRProtocol
import Testing

@testable import InAppDispatcher

/// Connection tokens that name the node by which a proxy leads their requests to it.
@Suite struct NodeTokenTests {
  private let path = "/hubs/notifications"
  private let header = "X-Belfry-Node"

  /// A hub behind a proxy that knows it as `node`.
  private func run(_ node: String?, trusts: Bool = true, _ body: (TestHub) async throws -> Void) async throws {
    let name = trusts ? try #require(HeaderName(header)) : .none
    try await TestHub.run(adjust: { $0.nodeHeader = name }) { hub in
      var hub = hub
      if let node { hub.negotiationHeaders = [header: node] }
      try await body(hub)
    }
  }

  private func negotiate(_ hub: TestHub, _ token: String, version: Int) async throws -> [String: Any] {
    let client = try await hub.open()
    let answer = try await client.request(
      "POST",
      "\(path)/negotiate?negotiateVersion=\(version)",
      token: token,
      headers: hub.negotiationHeaders
    )
    await client.close()
    return try #require(try JSONSerialization.jsonObject(with: Data(answer.bytes)) as? [String: Any])
  }

  @Test(arguments: ["inapp1", "I", "a-b_C-9", String(repeating: "n", count: 32)])
  func `the connection token begins with the name by which the proxy knows the node`(node: String) async throws {
    try await run(node) { hub in
      let token = try await TestHub.token(.random())
      let first = try #require(try await negotiate(hub, token, version: 1)["connectionToken"] as? String)
      let second = try #require(try await negotiate(hub, token, version: 1)["connectionToken"] as? String)
      #expect(first.hasPrefix("\(node).") && second.hasPrefix("\(node)."))
      #expect(first.count == node.count + 23)
      #expect(first != second)
      // Safe in a URL as it is: some clients encode nothing.
      #expect(first.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) })
    }
  }

  @Test func `the id of version 1 is no token and names no node, that of version 0 is both`() async throws {
    try await run("inapp1") { hub in
      let token = try await TestHub.token(.random())
      let one = try await negotiate(hub, token, version: 1)
      let name = try #require(one["connectionId"] as? String)
      #expect(name.count == 22 && !name.contains("."))
      #expect(try await hub.open().upgrade("\(path)?id=\(name)", token: token).status == 404)
      let zero = try await negotiate(hub, token, version: 0)
      #expect(zero["connectionToken"] == nil)
      let id = try #require(zero["connectionId"] as? String)
      #expect(id.hasPrefix("inapp1."))
      #expect(try await hub.open().upgrade("\(path)?id=\(id)", token: token).status == 101)
    }
  }

  @Test(
    arguments: [
      "", " ", "inapp.1", "in app", "inapp1/", "inapp1%2e", "ïnapp", "inapp1, inapp2", "../inapp1",
      String(repeating: "n", count: 33),
    ]
  )
  func `what is no name of a node leaves the token as it was`(node: String) async throws {
    try await run(node) { hub in
      let anna = UserID.random()
      let id = try await hub.negotiate(TestHub.token(anna))
      #expect(ConnectionID(id) != nil)
      #expect(try await hub.open().upgrade("\(path)?id=\(id)", token: TestHub.token(anna)).status == 101)
    }
  }

  @Test func `without the header, or with two, the token is as it was`() async throws {
    try await run(nil) { hub in
      let token = try await TestHub.token(.random())
      #expect(ConnectionID(try await hub.negotiate(token)) != nil)
      var twice = hub
      // Header names differ in case alone.
      twice.negotiationHeaders = [header: "inapp1", header.lowercased(): "inapp2"]
      #expect(ConnectionID(try await twice.negotiate(token)) != nil)
    }
  }

  @Test func `where no header is set up, none is believed`() async throws {
    try await run("inapp1", trusts: false) { hub in
      let anna = UserID.random()
      let id = try await hub.negotiate(TestHub.token(anna))
      #expect(ConnectionID(id) != nil)
      #expect(try await hub.open().upgrade("\(path)?id=\(id)", token: TestHub.token(anna)).status == 101)
    }
  }

  @Test(arguments: [false, true])
  func `every transport finds its connection by the whole token`(isEncoded: Bool) async throws {
    try await run("inapp-2") { hub in
      let anna = UserID.random()
      let token = try await TestHub.token(anna)
      let id = try await hub.negotiate(token)
      let target = "\(path)?id=\(isEncoded ? id.replacing(".", with: "%2E").replacing("-", with: "%2d") : id)"
      let socket = try await hub.open()
      #expect(try await socket.upgrade(target, token: token).status == 101)
      try await socket.shakeHands()
      let stream = try await TestEventStream.open(hub, anna)
      let polls = try await TestPolling.open(hub, anna)
      #expect(stream.target.contains("id=inapp-2.") && polls.target.contains("id=inapp-2."))
      try await hub.server.deliver([TestHub.unread(anna, 7)])
      #expect(try await socket.message() == TestHub.unreadMessage(7))
      #expect(try await stream.events.event() == TestHub.unreadMessage(7))
      #expect(try await polls.messages().map(\.unreadCount) == [7])
      #expect(try await polls.delete().status == 202)
    }
  }

  @Test func `a stateful connection is taken up by the whole token`() async throws {
    try await run("inapp1") { hub in
      let anna = UserID.random()
      let client = try await StatefulClient(hub, anna)
      #expect(client.target.contains("id=inapp1."))
      try await client.socket.reset()
      try await hub.server.deliver([TestHub.unread(anna, 1)])
      #expect(try await client.reattach() == 1)
      try await client.expect(1...1)
    }
  }

  @Test func `a token with another node's name, or with none, is that of no connection`() async throws {
    try await run("inapp1") { hub in
      let anna = UserID.random()
      let token = try await TestHub.token(anna)
      let id = try await hub.negotiate(token)
      let random = id.dropFirst("inapp1.".count)
      let polls = try await TestPolling.open(hub, anna)
      let polled = try #require(polls.target.split(separator: ".").last)
      for forged in ["inapp2.", "inapp1.inapp1.", "INAPP1.", ".", ""] {
        #expect(try await hub.open().upgrade("\(path)?id=\(forged)\(random)", token: token).status == 404, "\(forged)")
        let client = try await hub.open()
        for method in ["GET", "POST", "DELETE"] {
          let answer = try await client.request(method, "\(path)?id=\(forged)\(polled)", token: token)
          #expect(answer.status == 404, "\(method) \(forged)")
        }
        let stream = try await client.request(
          "GET",
          "\(path)?id=\(forged)\(random)",
          token: token,
          headers: ["Accept": "text/event-stream"]
        )
        #expect(stream.status == 404, "\(forged)")
      }
      // Nobody has taken it away meanwhile.
      #expect(try await hub.open().upgrade("\(path)?id=\(id)", token: token).status == 101)
      try await hub.server.deliver([TestHub.unread(anna, 2)])
      #expect(try await polls.messages().map(\.unreadCount) == [2])
    }
  }

  @Test func `another user's token is that of no connection, whatever node it names`() async throws {
    try await run("inapp1") { hub in
      let id = try await hub.negotiate(TestHub.token(.random()))
      #expect(try await hub.open().upgrade("\(path)?id=\(id)", token: TestHub.token(.random())).status == 404)
    }
  }

  @Test(arguments: ["X-Belfry-Node", "x-node", "_node"])
  func `the setting names the header`(text: String) throws {
    let settings = Settings(variables: ["BELFRY_INAPP_NODE_HEADER": text])
    #expect(HubServerConfiguration(settings).nodeHeader.description == text)
    try settings.validate()
  }

  @Test(arguments: ["X-Belfry-Node:", "X Node", "X-Nöde", "\"X\""])
  func `what is no header's name stops the start`(text: String) {
    let settings = Settings(variables: ["BELFRY_INAPP_NODE_HEADER": text])
    _ = HubServerConfiguration(settings)
    #expect(throws: StartError.self) { try settings.validate() }
  }
}
