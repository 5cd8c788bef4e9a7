import CatalogueVersions
import NotificationModel
import ServiceRuntime
import SignalRProtocol
import TestSupport
import Testing

@testable import InAppDispatcher

@Suite struct ShutdownTests {
  @Test func `a shutdown asks the clients of every transport and protocol to reconnect`() async throws {
    try await TestHub.run(adjust: { $0.drainPeriod = .milliseconds(100) }) { hub in
      let anna = UserID.random()
      let sockets = [
        (HubProtocol.json, try await hub.connect(anna)),
        (.messagePack, try await hub.connect(anna, as: .messagePack)),
      ]
      let stream = try await TestEventStream.open(hub, anna)
      let polls = try await TestPolling.open(hub, anna, as: .messagePack)
      try await polls.beginPoll()
      let goodbye = HubMessage.close(error: nil, allowReconnect: true)
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await hub.server.stop() }
        do {
          for (hubProtocol, socket) in sockets {
            #expect(try await socket.message(as: hubProtocol) == goodbye)
            #expect(try await socket.frame() == .init(opcode: 8, payload: [0x03, 0xE9]))
          }
          #expect(try await stream.events.event() == #"{"type":7,"allowReconnect":true}"#)
          try await stream.events.waitForEnd()
          let answer = try await polls.polls.response()
          #expect(answer.status == 200)
          #expect(try HubProtocol.messagePack.messages(in: answer.bytes) == [goodbye])
          try await polls.polls.waitForEnd()
        } catch {
          Issue.record(error)
        }
      }
      #expect(hub.server.connectionCount == 0)
      #expect(hub.server.statistics[.ended(.sentAway)] == 4)
    }
  }

  @Test func `a client between two polls gets its goodbye, over whatever TCP connection it comes`() async throws {
    try await TestHub.run(adjust: {
      $0.drainPeriod = .milliseconds(100)
      $0.limits.closeTimeout = .seconds(20)
    }) { hub in
      let clients = [try await TestPolling.open(hub, .random()), try await TestPolling.open(hub, .random())]
      try await hub.whileStopping {
        for client in clients {
          // That of its posts is on the other event loop.
          try await client.beginPoll(over: client.posts)
          let answer = try await client.posts.response()
          #expect(answer.status == 200)
          #expect(try HubProtocol.json.messages(in: answer.bytes) == [.close(error: nil, allowReconnect: true)])
          try await client.posts.waitForEnd()
        }
        // The node waits for nobody who has fetched it.
        for client in clients { try await client.polls.waitForEnd() }
      }
      #expect(hub.server.connectionCount == 0)
    }
  }

  @Test func `a poll that is answered while the node drains brings the goodbye along: there is no next one`()
    async throws
  {
    try await TestHub.run(adjust: { $0.drainPeriod = .seconds(600) }) { hub in
      let users = (0..<10).map { _ in UserID.random() }
      var clients: [TestPolling] = []
      for user in users { clients.append(try await TestPolling.open(hub, user)) }
      for client in clients { try await client.beginPoll() }
      try await hub.whileStopping {
        // Most of them would have minutes left.
        try await hub.server.deliver(users.map { try TestHub.unread($0, 3) })
        for client in clients {
          let answer = try await client.polls.response()
          #expect(answer.values("Connection") == ["close"])
          let messages = try HubProtocol.json.messages(in: answer.bytes)
          #expect(messages.last == .close(error: nil, allowReconnect: true))
          try await client.polls.waitForEnd()
        }
        for client in clients { await client.posts.close() }
      }
      #expect(hub.server.statistics[.ended(.sentAway)] == clients.count)
    }
  }

  /// A client behind a balancer of TCP connections would come back to this node otherwise, until it is gone.
  @Test func `every answer of a draining node closes its TCP connection`() async throws {
    try await TestHub.run(adjust: { $0.limits.closeTimeout = .seconds(20) }) { hub in
      let token = try await TestHub.token(.random())
      let path = "/hubs/notifications"
      // It keeps the node draining, because it does not fetch its goodbye.
      let absent = try await TestPolling.open(hub, .random())
      let requests = [
        ("POST", "\(path)/negotiate", 503), ("GET", path, 400), ("POST", "\(path)?id=x", 404),
        ("OPTIONS", path, 204), ("GET", "/health/ready", 503), ("GET", "/health/live", 200), ("GET", "/nowhere", 404),
      ]
      var kept: [TestConnection] = []
      for _ in requests {
        let client = try await hub.open()
        #expect(try await client.request("POST", "\(path)/negotiate", token: token).values("Connection").isEmpty)
        kept.append(client)
      }
      try await hub.whileStopping {
        for (client, (method, target, status)) in zip(kept, requests) {
          let answer = try await client.request(method, target, token: token)
          #expect(answer.status == status, "\(method) \(target)")
          #expect(answer.values("Connection") == ["close"], "\(method) \(target)")
          try await client.waitForEnd()
        }
        try await absent.beginPoll()
        #expect(try await absent.polls.response().values("Connection") == ["close"])
      }
    }
  }

  @Test(arguments: [false, true])
  func `that it stops stands once in a node's readiness, whether or not it has said so before`(isNoticed: Bool)
    async throws
  {
    var checks = HealthChecks()
    checks.add(StopNotice.condition) { !isNoticed }
    try await TestHub.run(checks: checks, adjust: { $0.limits.closeTimeout = .seconds(20) }) { hub in
      // It keeps the node draining, because it does not fetch its goodbye.
      let absent = try await TestPolling.open(hub, .random())
      let kept = try await hub.open()
      #expect(try await kept.request("GET", "/health/ready").status == (isNoticed ? 503 : 200))
      try await hub.whileStopping {
        let answer = try await kept.request("GET", "/health/ready")
        #expect(answer.body == #"{"status":"not ready","failing":["not shutting down"]}"#)
        try await absent.beginPoll()
        #expect(try await absent.polls.response().values("Connection") == ["close"])
      }
    }
  }

  @Test func `behind a balancer of TCP connections, who is sent away is at another node with its next connection`()
    async throws
  {
    try await TestHub.run(adjust: { $0.limits.closeTimeout = .seconds(20) }) { first in
      try await TestHub.run { second in
        try await TestBalancer.run([first, second]) { balancer in
          let (balanced, path) = (TestHub(server: first.server, port: balancer.port), "/hubs/notifications")
          let anna = UserID.random()
          let token = try await TestHub.token(anna)
          let polls = try await TestPolling.open(balanced, anna)
          // As a browser keeps them.
          var kept: [TestConnection] = []
          for _ in 0..<3 {
            kept.append(try await balanced.open())
            #expect(try await kept.last?.request("POST", "\(path)/negotiate", token: token).status == 200)
          }
          #expect(first.server.connectionCount == 1)
          try await first.whileStopping {
            for client in kept {
              let refused = try await client.request("POST", "\(path)/negotiate", token: token)
              #expect(refused.status == 503)
              #expect(refused.values("Connection") == ["close"])
              try await client.waitForEnd()
            }
            // While the node still waits for this one to fetch its goodbye.
            #expect(first.server.connectionCount == 1)
            let again = try await TestPolling.open(balanced, anna)
            #expect(first.server.connectionCount == 1)
            #expect(second.server.connectionCount == 1)
            try await second.server.deliver([TestHub.unread(anna, 3)])
            #expect(try await again.messages().map(\.unreadCount) == [3])

            let goodbye = try await polls.poll()
            #expect(goodbye.values("Connection") == ["close"])
            #expect(try HubProtocol.json.messages(in: goodbye.bytes) == [.close(error: nil, allowReconnect: true)])
            try await polls.polls.waitForEnd()
            _ = try await TestPolling.open(balanced, anna)
            #expect(second.server.connectionCount == 2)
            await polls.posts.close()
          }
        }
      }
    }
  }

  @Test func `nothing is delivered after the end, and a delivery in flight ends before`() async throws {
    try await TestHub.run { hub in
      let anna = UserID.random()
      _ = try await hub.connect(anna)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<4 {
          group.addTask { for count in 0..<200 { try await hub.server.deliver([TestHub.unread(anna, count)]) } }
        }
        await hub.server.stop()
        try await group.waitForAll()
      }
      try await hub.server.deliver([TestHub.unread(anna, 1)])
    }
  }

  @Test func `metrics count what happened`() async throws {
    try await TestHub.run { hub in
      let anna = UserID.random()
      let socket = try await hub.connect(anna)
      _ = try await TestEventStream.open(hub, anna)
      _ = try await TestPolling.open(hub, anna)
      try await hub.server.deliver([TestHub.unread(anna, 1)])
      #expect(try await socket.message() == TestHub.unreadMessage(1))
      try await socket.send(.invocation(id: "1", target: "X", arguments: []))
      _ = try await socket.message()
      _ = try await hub.open().upgrade("/hubs/notifications")
      try await socket.send(.close())
      try await socket.waitForEnd()
      try await eventually("two connections are left") { hub.server.connectionCount == 2 }
      // One that works on by a version before one that it cannot read.
      let versions = CatalogueVersionsInMemory(["version: 1\nevents: []\n"])
      let catalogues = try CatalogueInForce(file: "", store: versions, logger: .quiet)
      try await catalogues.refresh()
      versions.apply("version: 2\n")
      try await catalogues.refresh()
      let lines = HubMetrics.text(
        hub.server.statistics,
        connections: hub.server.connectionCount,
        catalogues: catalogues
      )
      .split(separator: "\n")
      for line in [
        "# TYPE belfry_inapp_connections gauge", "belfry_inapp_connections 2",
        "# TYPE belfry_catalogue_version gauge", "belfry_catalogue_version 1", "belfry_catalogue_behind 1",
        #"belfry_inapp_connections_opened_total{transport="WebSockets"} 1"#,
        #"belfry_inapp_connections_opened_total{transport="ServerSentEvents"} 1"#,
        #"belfry_inapp_connections_opened_total{transport="LongPolling"} 1"#,
        #"belfry_inapp_connections_ended_total{reason="byClient"} 1"#,
        #"belfry_inapp_connections_ended_total{reason="slow"} 0"#, "belfry_inapp_handshakes_total 3",
        "belfry_inapp_unauthorized_total 1", "belfry_inapp_delivered_total 3", "belfry_inapp_calls_total 1",
        "belfry_inapp_calls_failed_total 1", "belfry_inapp_reattached_total 0", "belfry_inapp_undecodable_total 0",
      ] { #expect(lines.contains(line[...]), "\(line)") }
      // Every family is described once, and every sample is a name and a number.
      #expect(Set(lines).count == lines.count)
      for line in lines where !line.hasPrefix("#") {
        #expect(line.split(separator: " ").count == 2)
        #expect(line.split(separator: " ").last.flatMap { Int($0) } != nil)
      }
    }
  }
}

extension TestHub {
  /// Stops the hub, and does something once it takes nobody in.
  fileprivate func whileStopping(_ body: () async throws -> Void) async throws {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await server.stop() }
      do {
        try await eventually("nobody is taken in") {
          do {
            await (try open()).close()
            return false
          } catch {
            return true
          }
        }
        try await body()
      } catch {
        Issue.record(error)
      }
    }
  }
}
