import Foundation
import LocalStack
import NotificationModel
import NotificationQueue
import TestSupport
import Testing
import Transport

extension EndToEndTests {
  /// In-app nodes that share the users among them.
  @Suite(.serialized, .timeLimit(.minutes(4))) struct ShardTests {
    /// Two nodes of four shards each, which know each other.
    private struct Nodes {
      static let shards = ["0-3", "4-7"]
      let processes: [StackProcess]
      let metricsPorts: [Int]

      static func with(_ belfry: TestStack, _ body: (Nodes) async throws -> Void) async throws {
        let ports = [try FreePort.find(), try FreePort.find()]
        let metricsPorts = [try FreePort.find(), try FreePort.find()]
        let nodes = Nodes(
          processes: ports.indices.map { index in
            let other = 1 - index
            return belfry.stack.extra(
              .inapp,
              name: "inapp-of-shards-\(shards[index])",
              port: ports[index],
              variables: [
                "BELFRY_HEALTH_PORT": String(metricsPorts[index]), "BELFRY_INAPP_SHARDS": shards[index],
                "BELFRY_INAPP_OTHERS": "\(shards[other])=http://127.0.0.1:\(ports[other])",
              ]
            )
          },
          metricsPorts: metricsPorts
        )
        do {
          for node in nodes.processes { try node.launch() }
          for node in nodes.processes { try await node.waitUntilReady() }
          try await body(nodes)
        } catch {
          await nodes.kill()
          throw error
        }
        for node in nodes.processes { #expect(await node.terminate() == 0, "\(node.logTail)") }
      }

      private func kill() async {
        for node in processes { await node.kill() }
      }

      /// Whose user this is.
      static func index(of user: UserID) -> Int { Shard.of(user).number / 4 }

      /// What a node counts.
      func count(_ name: String, of index: Int, _ belfry: TestStack) async throws -> Int {
        let text = try await belfry.http.send(HTTPRequest(url: "http://127.0.0.1:\(metricsPorts[index])/metrics")).body
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
        let line = try #require(lines.first { $0.hasPrefix("belfry_inapp_\(name) ") })
        return try #require(line.split(separator: " ").last.flatMap { Int($0) })
      }
    }

    /// People of both nodes' shards.
    private func people(_ belfry: TestStack) async throws -> [Person] {
      var people: [Person?] = [nil, nil]
      while people.contains(where: { $0 == nil }) {
        let person = try await belfry.makeUser(platforms: [])
        people[Nodes.index(of: person.id)] = person
      }
      return people.compactMap(\.self)
    }

    /// signalrcore follows a redirect over WebSockets only: for the other transports it would need an id from there.
    @Test(arguments: TestScope.part(of: ForeignClient.all.filter { $0.transport == .webSockets }))
    func `a client that asks the wrong node is sent to its own and receives there`(client: ForeignClient) async throws {
      try await TestStack.with { belfry in
        try await Nodes.with(belfry) { nodes in
          for person in try await people(belfry) {
            let own = Nodes.index(of: person.id)
            for asked in [own, 1 - own] {
              let url = nodes.processes[asked].url
              let hub = try await HubClient.connect(client, to: belfry, as: person, options: .init(url: url))
              #expect(try await nodes.count("connections", of: own, belfry) == 1)
              #expect(try await nodes.count("connections", of: 1 - own, belfry) == 0)
              try await belfry.send(1, to: person)
              try await eventually("it arrived") { try hub.seqs().count == 1 }
              #expect(try await hub.invoke("MarkAllAsRead").error == nil)
              try await eventually("it is published") { try hub.unreadCount() == 0 }
              await hub.kill()
              try await eventually("the node has noticed") {
                try await nodes.count("connections", of: own, belfry) == 0
              }
            }
          }
        }
      }
    }

    @Test func `an event reaches the node of its user's shard and no other`() async throws {
      try await TestStack.with { belfry in
        try await Nodes.with(belfry) { nodes in
          let people = try await people(belfry)
          for person in people {
            let own = Nodes.index(of: person.id)
            let url = nodes.processes[own].url
            let hub = try await HubClient.connect(.pysignalr, to: belfry, as: person, options: .init(url: url))
            try await eventually("nothing is in flight") { try await belfry.backlog() == 0 }
            let before = (
              own: try await nodes.count("messages_total", of: own, belfry),
              other: try await nodes.count("messages_total", of: 1 - own, belfry)
            )
            try await belfry.send(20, to: person)
            try await eventually("all arrived") { try hub.seqs().count == 20 }
            try await eventually("nothing is in flight") { try await belfry.backlog() == 0 }
            #expect(try await nodes.count("messages_total", of: own, belfry) > before.own)
            #expect(try await nodes.count("messages_total", of: 1 - own, belfry) == before.other)
            // One for the other node shows that it has taken what came before.
            try await belfry.send(1, to: people[1 - own])
            try await eventually("the other node has its own") {
              try await nodes.count("messages_total", of: 1 - own, belfry) > before.other
            }
            #expect(try await nodes.count("messages_total", of: 1 - own, belfry) == before.other + 1)
          }
        }
      }
    }

    @Test func `a client that negotiates through a balancer is sent to the node's own address`() async throws {
      try await TestStack.with { belfry in
        let port = try FreePort.find()
        let node = belfry.stack.extra(
          .inapp,
          name: "inapp-with-a-url",
          port: port,
          variables: ["BELFRY_INAPP_PUBLIC_URL": "http://localhost:\(port)"]
        )
        do {
          try node.launch()
          try await node.waitUntilReady()
          let person = try await belfry.makeUser(platforms: [])
          for client in [ForeignClient.pysignalr, .signalrcore] {
            let hub = try await HubClient.connect(client, to: belfry, as: person, options: .init(url: node.url))
            try await belfry.send(1, to: person)
            try await eventually("it arrived") { try hub.seqs().count == 1 }
          }
        } catch {
          await node.kill()
          throw error
        }
        #expect(await node.terminate() == 0, "\(node.logTail)")
      }
    }
  }
}
