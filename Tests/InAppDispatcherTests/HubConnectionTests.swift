import Foundation
import InAppDispatcher
import NotificationModel
import SignalRProtocol
import TestSupport
import Testing

private let path = "/hubs/notifications"

@Suite struct HubConnectionTests {
  private func negotiate(_ client: TestConnection, _ token: String, version: Int = 1) async throws -> String {
    let answer = try await client.request("POST", "\(path)/negotiate?negotiateVersion=\(version)", token: token)
    let body = try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any]
    return try #require(body?[version == 1 ? "connectionToken" : "connectionId"] as? String)
  }

  @Test(arguments: [0, 1])
  func `a negotiated id opens one WebSocket, even over the same TCP connection`(version: Int) async throws {
    try await TestHub.run { hub in
      let token = try await TestHub.token(.random())
      let client = try await hub.open()
      let id = try await negotiate(client, token, version: version)
      let answer = try await client.upgrade("\(path)?id=\(id)&access_token=\(token)")
      #expect(answer.status == 101)
      #expect(answer.head.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
      #expect(!answer.head.lowercased().contains("sec-websocket-extensions"))
      #expect(!answer.head.lowercased().contains("sec-websocket-protocol"))
      try await client.sendFrame(TestHub.handshake)
      #expect(try await client.message() == "{}")

      #expect(try await hub.open().upgrade("\(path)?id=\(id)", token: token).status == 409)
      let other = try await hub.open()
      #expect(try await other.request("POST", "\(path)?id=\(id)", token: token).status == 405)
      #expect(try await other.request("GET", "\(path)?id=\(id)", token: token).status == 400)

      await client.close()
      try await eventually("no connection is left") { hub.server.connectionCount == 0 }
      #expect(try await other.upgrade("\(path)?id=\(id)", token: token).status == 404)
    }
  }

  @Test func `upgrades with a stale, expired or foreign id fail`() async throws {
    try await TestHub.run(adjust: { $0.limits.negotiationTimeout = .milliseconds(50) }) { hub in
      let token = try await TestHub.token(.random())
      #expect(try await hub.open().upgrade("\(path)?id=stale", token: token).status == 404)
      let client = try await hub.open()
      let expired = try await negotiate(client, token)
      try await eventually("the id is forgotten") {
        try await client.request("DELETE", "\(path)?id=\(expired)", token: token).status == 404
      }
      #expect(try await hub.open().upgrade("\(path)?id=\(expired)", token: token).status == 404)
    }
    try await TestHub.run { hub in
      let client = try await hub.open()
      let id = try await negotiate(client, TestHub.token(.random()))
      #expect(try await client.upgrade("\(path)?id=\(id)", token: TestHub.token(.random())).status == 404)
    }
  }

  @Test func `upgrades need a token, an allowed origin and a proper request`() async throws {
    try await TestHub.run { hub in
      let token = try await TestHub.token(.random())
      #expect(try await hub.open().upgrade(path).status == 401)
      #expect(try await hub.open().upgrade(path, token: "x.y.z").status == 401)
      #expect(
        try await hub.open().upgrade(path, token: token, headers: ["Origin": "https://evil.example"]).status == 403
      )
      #expect(
        try await hub.open().request(
          "GET",
          path,
          token: token,
          headers: ["Connection": "Upgrade", "Upgrade": "websocket"]
        )
        .status == 400
      )
      #expect(hub.server.connectionCount == 0)
      for origin in ["https://app.example", "http://hub.test"] {
        #expect(
          try await hub.open().upgrade("/hub/family", token: token, headers: ["Origin": origin]).status == 101
        )
      }
    }
  }

  @Test func `connections are limited by user and in total`() async throws {
    try await TestHub.run(adjust: {
      $0.limits.maximumConnections = 3
      $0.limits.maximumConnectionsPerUser = 2
    }) { hub in
      let (anna, ben) = (UserID.random(), UserID.random())
      let first = try await hub.connect(anna)
      _ = try await hub.connect(anna)
      #expect(try await hub.open().upgrade(path, token: TestHub.token(anna)).status == 429)
      _ = try await hub.connect(ben)
      #expect(try await hub.open().upgrade(path, token: TestHub.token(ben)).status == 503)
      await first.close()
      try await eventually("two connections are left") { hub.server.connectionCount == 2 }
      _ = try await hub.connect(anna)
    }
  }

  @Test func `an unknown method is answered with its name`() async throws {
    try await TestHub.run { hub in
      let client = try await hub.connect(.random())
      try await client.sendFrame(#"{"type":1,"target":"Shout","arguments":["é"]}"# + "\u{1E}")
      try await client.sendFrame(#"{"type":1,"target":"Shout","arguments":[],"invocationId":"7"}"# + "\u{1E}")
      #expect(
        try await client.message() == #"{"type":3,"invocationId":"7","error":"\#(TestHub.missing("Shout"))"}"#
      )
    }
  }

  @Test func `messages may be split over frames, in binary ones too`() async throws {
    try await TestHub.run { hub in
      let client = try await hub.open()
      _ = try await client.upgrade(path, token: TestHub.token(.random()))
      try await client.sendFrame(#"{"protocol":"json","#, opcode: 2)
      try await client.sendFrame(#""version":1}"# + "\u{1E}" + #"{"type":1,"target":"X","#, isFinal: false)
      try await client.sendFrame("still here", opcode: 9)
      try await client.sendFrame(#""invocationId":"1"}"# + "\u{1E}", opcode: 0)
      #expect(try await client.message() == "{}")
      #expect(try await client.frame() == .init(opcode: 10, payload: Array("still here".utf8)))
      #expect(try await client.message().contains(TestHub.missing("X")))
    }
  }

  @Test(arguments: [(opcode: UInt8(1), reserved: UInt8(0x40)), (1, 0x20), (1, 0x10), (3, 0), (11, 0)])
  func `frames of an extension, or of an unknown kind, violate the protocol`(opcode: UInt8, reserved: UInt8)
    async throws
  {
    try await TestHub.run { hub in
      let client = try await hub.connect(.random())
      try await client.sendFrame(Array("{\"type\":6}\u{1E}".utf8), opcode: opcode, reserved: reserved)
      #expect(try await client.frame() == .init(opcode: 8, payload: [0x03, 0xEA]))
      try await client.waitForEnd()
      #expect(hub.server.statistics[.ended(.protocolError)] == 1)
    }
  }

  @Test func `an unknown protocol is refused in the handshake`() async throws {
    try await TestHub.run { hub in
      let client = try await hub.open()
      _ = try await client.upgrade(path, token: TestHub.token(.random()))
      try await client.sendFrame(#"{"protocol":"blazorpack","version":1}"# + "\u{1E}")
      #expect(try await client.message() == #"{"error":"The protocol 'blazorpack' is not supported."}"#)
      #expect(try await client.frame().opcode == 8)
      try await client.waitForEnd()
    }
  }

  @Test func `violations of the protocol end the connection`() async throws {
    try await TestHub.run { hub in
      let unmasked = try await hub.connect(.random())
      try await unmasked.sendFrame("x", isMasked: false)
      #expect(try await unmasked.frame() == .init(opcode: 8, payload: [0x03, 0xEA]))
      try await unmasked.waitForEnd()

      let headless = try await hub.connect(.random())
      try await headless.sendFrame(#"{"type":6}"# + "\u{1E}", opcode: 0)
      #expect(try await headless.frame() == .init(opcode: 8, payload: [0x03, 0xEA]))
      try await headless.waitForEnd()

      let broken = try await hub.connect(.random())
      try await broken.sendFrame("nonsense\u{1E}")
      #expect(try await broken.message().hasPrefix(#"{"type":7,"error":"#))
      #expect(try await broken.frame().opcode == 8)
      try await broken.waitForEnd()
      try await eventually("no connection is left") { hub.server.connectionCount == 0 }
      #expect(hub.server.statistics[.ended(.protocolError)] == 3)
    }
  }

  @Test func `a closing handshake is answered`() async throws {
    try await TestHub.run { hub in
      let client = try await hub.connect(.random())
      try await client.sendFrame("\u{3}\u{68}", opcode: 8)
      #expect(try await client.frame().opcode == 8)
      try await client.waitForEnd()
      let polite = try await hub.connect(.random())
      try await polite.sendFrame(#"{"type":7}"# + "\u{1E}")
      #expect(try await polite.frame().opcode == 8)
      try await polite.waitForEnd()
    }
  }

  @Test func `silence brings pings, and a client that stops pinging is dropped`() async throws {
    let timing = HubTiming(
      handshakeTimeout: .seconds(15),
      pingInterval: .milliseconds(40),
      clientTimeout: .milliseconds(200)
    )
    try await TestHub.run(adjust: { $0.timing = timing }) { hub in
      let client = try await hub.connect(.random())
      for _ in 0..<3 { #expect(try await client.message() == #"{"type":6}"#) }
      try await client.sendFrame(#"{"type":6}"# + "\u{1E}")
      try await client.waitForEnd()
    }
  }

  @Test func `a client without a handshake is sent away`() async throws {
    try await TestHub.run(adjust: { $0.timing.handshakeTimeout = .milliseconds(50) }) { hub in
      let client = try await hub.open()
      _ = try await client.upgrade(path, token: TestHub.token(.random()))
      #expect(try await client.message() == #"{"error":"Handshake was canceled."}"#)
      try await client.waitForEnd()
    }
  }

  @Test func `a shutdown asks every client to reconnect`() async throws {
    try await TestHub.run { hub in
      let clients = [try await hub.connect(.random()), try await hub.connect(.random())]
      let idle = try await hub.open()
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await hub.server.stop() }
        do {
          for client in clients {
            #expect(try await client.message() == #"{"type":7,"allowReconnect":true}"#)
            #expect(try await client.frame() == .init(opcode: 8, payload: [0x03, 0xE9]))
            try await client.waitForEnd()
          }
          try await idle.waitForEnd()
        } catch {
          Issue.record(error)
        }
      }
      #expect(hub.server.connectionCount == 0)
    }
  }
}
