import Foundation
import LocalStack
import NotificationModel
import TestSupport
import Testing

extension EndToEndTests {
  /// Stock clients from PyPI, with each transport and protocol that they support.
  @Suite(.serialized, .timeLimit(.minutes(5))) struct ForeignClientTests {
    @Test(arguments: ForeignClient.chosen)
    func `a client receives text in any script, and calls methods`(client: ForeignClient) async throws {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser(platforms: [])
        let hub = try await HubClient.connect(client, to: belfry, as: ann)
        let text = #""title":"Ünïcode 🎉 日本","body":"\"quoted\" \\ {[\nsecond line עברית""#
        _ = try await belfry.send(#"{"to":{"users":["\#(ann.id)"]},"type":12,\#(text)}"#).expect(202)
        try await eventually("it arrived") { try hub.notifications().count == 1 }
        let received = try #require(try hub.notifications().first)
        #expect(received["title"] as? String == "Ünïcode 🎉 日本")
        #expect(received["body"] as? String == "\"quoted\" \\ {[\nsecond line עברית")
        try await eventually("the count arrived") { try hub.unreadCount() == 1 }

        let id = try #require(received["id"] as? String)
        let read = try await hub.invoke("MarkAsRead", [id])
        #expect(read.error == nil)
        #expect(read.result is NSNull)
        try await eventually("the reading is published") { try hub.readIDs() == [id] && hub.unreadCount() == 0 }
        #expect(try await belfry.unreadCount(of: ann) == 0)

        try await belfry.send(3, to: ann)
        try await eventually("three more arrived") { try hub.unreadCount() == 3 }
        // Methods are found without regard to case.
        #expect(try await hub.invoke("markallasread").error == nil)
        try await eventually("all are read") { try hub.unreadCount() == 0 }
        #expect(try await belfry.unreadCount(of: ann) == 0)
      }
    }

    @Test(arguments: ForeignClient.chosen)
    func `a call that fails gets the original's error, and the connection goes on`(client: ForeignClient) async throws {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser(platforms: [])
        let hub = try await HubClient.connect(client, to: belfry, as: ann)
        let wrong = try await hub.invoke("MarkAsRead", ["nonsense"])
        #expect(
          wrong.error
            == "An unexpected error occurred invoking 'MarkAsRead' on the server. HubException: id: expected a UUID"
        )
        let few = try await hub.invoke("Resume")
        #expect(few.error?.hasPrefix("An unexpected error occurred invoking 'Resume' on the server.") == true)
        let missing = "Failed to invoke 'Dance' due to an error on the server. HubException: Method does not exist."
        #expect(try await hub.invoke("Dance", ["日本"]).error == missing)
        #expect(try await hub.stream("Dance").error == missing)
        #expect(try await hub.stream("MarkAllAsRead").error != nil)
        try await belfry.send(1, to: ann)
        try await eventually("it arrived") { try hub.seqs() == [1] }
        #expect(try hub.connections() == 1)
      }
    }

    @Test(arguments: ForeignClient.chosen)
    func `1,000 notifications arrive complete and in order`(client: ForeignClient) async throws {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser(platforms: [])
        let hub = try await HubClient.connect(client, to: belfry, as: ann)
        try await belfry.send(1_000, to: ann)
        try await eventually("all arrived", within: .seconds(60), every: .milliseconds(200)) {
          try hub.notifications().count >= 1_000 && hub.unreadCount() == 1_000
        }
        let stored = try await belfry.inbox(of: ann)
        #expect(stored.map { $0.seq } == Array(1...1_000))
        #expect(try hub.seqs() == stored.map { $0.seq })
        #expect(try hub.notifications().map { $0["id"] as? String } == stored.map { $0.id })
        #expect(try hub.connections() == 1)
      }
    }

    @Test(arguments: ForeignClient.chosen)
    func `after a lost connection Resume gives exactly what was missed`(client: ForeignClient) async throws {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser(platforms: [])
        let watcher = try await HubClient.connect(.pysignalr, to: belfry, as: ann)
        let hub = try await HubClient.connect(client, to: belfry, as: ann, options: .init(isProxied: true))
        try await belfry.send(5, to: ann)
        try await eventually("five arrived") { try hub.seqs() == Array(1...5) && watcher.seqs().count == 5 }

        try await hub.cut()
        try await belfry.send(20, to: ann)
        // Then the hub is done with them, and can no longer send them as news.
        try await eventually("the others of the user have them") { try watcher.seqs() == Array(1...25) }
        #expect(try hub.seqs() == Array(1...5))
        try await hub.release()

        let keepsConnection = client.transport == .longPolling
        if !keepsConnection {
          try await eventually("it has connected again") { try hub.connections() >= 2 }
        }
        let resumed = try await hub.invoke("Resume", [5])
        #expect(resumed.error == nil)
        if keepsConnection {
          // To the hub this was a pause between two polls: what it kept arrives with the next, and is not given again.
          try await eventually("nothing is missing") { try hub.seqs().count + resumed.seqs.count >= 25 }
          #expect(try (hub.seqs() + resumed.seqs).sorted() == Array(1...25))
        } else {
          #expect(resumed.seqs == Array(6...25))
          #expect(try hub.seqs() == Array(1...5))
        }
        #expect(resumed.seqs == resumed.seqs.sorted())
        try await belfry.send(1, to: ann)
        try await eventually("news arrive") { try hub.seqs().last == 26 }
        #expect(try hub.seqs() == hub.seqs().sorted())
      }
    }

    /// signalrcore tries once, at once, and so does not live through a restart.
    @Test(arguments: TestScope.part(of: ForeignClient.all.filter { $0.library == .pysignalr }))
    func `after a restart of the hub a client comes back by itself and resumes`(client: ForeignClient) async throws {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser(platforms: [])
        let hub = try await HubClient.connect(client, to: belfry, as: ann)
        try await belfry.send(5, to: ann)
        try await eventually("five arrived") { try hub.seqs() == Array(1...5) }

        let node = try #require(belfry.stack.services(.inapp).first)
        #expect(await node.terminate() == 0, "\(node.logTail)")
        try await belfry.send(20, to: ann)
        try await eventually("the others are stored") { try await belfry.inbox(of: ann).count == 25 }
        try await node.restart()

        try await eventually("it has connected again", within: .seconds(60)) { try hub.connections() >= 2 }
        let resumed = try await hub.invoke("Resume", [5])
        #expect(resumed.error == nil)
        #expect(resumed.seqs == Array(6...25))
        #expect(try hub.seqs() == Array(1...5))
        try await belfry.send(1, to: ann)
        try await eventually("news arrive") { try hub.seqs().last == 26 }
      }
    }

    @Test(arguments: ForeignClient.chosen)
    func `Resume streams what was missed, or returns the first 100 and sends the rest`(client: ForeignClient)
      async throws
    {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser(platforms: [])
        try await belfry.send(150, to: ann)
        try await eventually("all are stored") { try await belfry.inbox(of: ann).count == 150 }
        try await eventually("nothing is in flight") { try await belfry.backlog() == 0 }

        let streaming = try await HubClient.connect(client, to: belfry, as: ann)
        let stream = try await streaming.stream("Resume", [120])
        #expect(stream.error == nil)
        #expect(stream.seqs == Array(121...150))

        let returning = try await HubClient.connect(client, to: belfry, as: ann)
        let resumed = try await returning.invoke("Resume", [0])
        #expect(resumed.error == nil)
        #expect(resumed.seqs == Array(1...100))
        try await eventually("the rest follows") { try returning.seqs().count == 50 && returning.unreadCount() == 150 }
        try await belfry.send(1, to: ann)
        try await eventually("news arrive") { try returning.seqs().last == 151 && streaming.seqs().last == 151 }
        #expect(try returning.seqs() == Array(101...151))
        #expect(try streaming.seqs() == [151])
      }
    }

    @Test(arguments: ForeignClient.chosen)
    func `the token may be in the query`(client: ForeignClient) async throws {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser(platforms: [])
        let hub = try await HubClient.connect(client, to: belfry, as: ann, options: .init(isTokenInQuery: true))
        try await belfry.send(1, to: ann)
        try await eventually("it arrived") { try hub.seqs() == [1] }
        #expect(try await hub.invoke("MarkAllAsRead").error == nil)
        let signature = try #require(ann.token.split(separator: ".").last)
        for process in belfry.stack.services {
          let log = try String(contentsOfFile: process.logFile, encoding: .utf8)
          #expect(!log.contains(signature), "\(process.name)")
        }
      }
    }

    @Test(arguments: [ForeignClient.pysignalr, .signalrcore])
    func `a token that is over, and accepted for a while, keeps its client connected`(client: ForeignClient)
      async throws
    {
      try await TestStack.with { belfry in
        var ann = try await belfry.makeUser(platforms: [])
        let ben = try await belfry.makeUser(platforms: [])
        ann.token = try await belfry.token(ann.id, lifetime: .seconds(-5))
        let hub = try await HubClient.connect(client, to: belfry, as: ann)
        // Until the hub has ended somebody else's connection, whose token it refuses by then.
        let node = try #require(belfry.stack.services(.inapp).first).url
        let last = try await belfry.token(ben.id, lifetime: .seconds(-28))
        let path = "/hubs/notifications"
        let opened = try await belfry.call("POST", "\(path)/negotiate?negotiateVersion=1", at: node, token: last)
        let id = try #require(try opened.expect(200).json["connectionToken"] as? String)
        for _ in 0..<2 { _ = try await belfry.call("GET", "\(path)?id=\(id)", at: node, token: last) }
        _ = try await belfry.call("GET", "\(path)?id=\(id)", at: node, token: last).expect(401)
        try await belfry.send(1, to: ann)
        try await eventually("it arrived") { try hub.seqs() == [1] }
        #expect(try hub.connections() == 1)
      }
    }

    @Test func `all connections of a user, of whatever kind, get the same`() async throws {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser(platforms: [])
        var hubs: [HubClient] = []
        for client in ForeignClient.all { hubs.append(try await HubClient.connect(client, to: belfry, as: ann)) }
        try await belfry.send(1, to: ann)
        try await eventually("all have it") { try hubs.allSatisfy { try $0.seqs() == [1] && $0.unreadCount() == 1 } }
        let received = try hubs.map { try #require(try $0.notifications().first) }
        let texts = try received.map { try JSONSerialization.data(withJSONObject: $0, options: .sortedKeys) }
        #expect(Set(texts).count == 1, "JSON and MessagePack say the same")
        let id = try #require(received[0]["id"] as? String)
        #expect(try await hubs[0].invoke("MarkAsRead", [id]).error == nil)
        try await eventually("all are notified") {
          try hubs.allSatisfy { try $0.readIDs() == [id] && $0.unreadCount() == 0 }
        }
      }
    }

    /// Its bug, which Tests/Conformance repairs for the tests above: the rest of an answer waits for the next.
    @Test func `signalrcore's own long polling gets the first message of an answer`() async throws {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser(platforms: [])
        let client = ForeignClient(library: .signalrcore, transport: .longPolling)
        let hub = try await HubClient.connect(client, to: belfry, as: ann, options: .init(isStock: true))
        try await belfry.send(1, to: ann)
        try await eventually("it arrived") { try hub.seqs() == [1] }
      }
    }
  }
}
