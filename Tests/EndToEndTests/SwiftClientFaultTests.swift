import BelfryClient
import Foundation
import LocalStack
import NotificationModel
import Postgres
import TestSupport
import Testing

extension EndToEndTests {
  /// The client for apps in Swift, on lines that fail, with servers that die and tokens that end.
  @Suite(.serialized, .timeLimit(.minutes(5))) struct SwiftClientFaultTests {
    /// Waits until an app has exactly what the database has, and as many unread.
    private func agree(_ belfry: TestStack, _ person: Person, _ apps: TestApp...) async throws {
      for (number, app) in apps.enumerated() {
        try await eventually("app \(number) has what is stored", within: .seconds(60), every: .milliseconds(100)) {
          let list = try await app.list()
          let unread = await app.client.unreadCount
          let stored = try await belfry.storedInbox(of: person)
          return list?.map { StoredInbox.Item(id: $0.id, isRead: $0.isRead) } == stored.inbox && unread == stored.unread
        }
      }
    }

    private func store(_ count: Int, _ belfry: TestStack, _ person: Person) async throws {
      let before = try await belfry.inbox(of: person).count
      try await belfry.send(count, to: person)
      try await eventually("they are stored") { try await belfry.inbox(of: person).count == before + count }
    }

    /// Waits until these were announced, and ends the app: each once, and nothing else.
    private func expectEachOnce(_ app: TestApp, _ ids: [UUID]) async throws {
      try await expectAnnouncements(app, ids.count)
      #expect(Set(app.announced) == Set(ids))
    }

    /// Waits until as many were announced, and ends the app.
    private func expectAnnouncements(_ app: TestApp, _ count: Int) async throws {
      try await eventually("\(count) are announced", within: .seconds(60)) { app.announced.count >= count }
      #expect(await app.signOut().count == count)
    }

    @Test func `lines that are cut, silent or slow lose and double nothing`() async throws {
      try await TestStack.with { belfry in
        let person = try await belfry.makeUser(platforms: [])
        var timing = ClientTiming.quick
        timing.silence = .seconds(20)
        try await TestApp.with(belfry, person, TestApp.Options(timing: timing)) { app in
          for condition in [TestLine.Condition.cut, .silent, .slow(.milliseconds(150)), .silent] {
            try await store(3, belfry, person)
            try await agree(belfry, person, app)
            let newest = try #require(try await app.list()?.first)
            let before = app.hub.connections
            app.setLines(condition)
            let marking = await app.client.markAsRead([newest.id])
            try await store(4, belfry, person)
            if condition == .silent {
              // Longer than every time that the client waits: the connection is lost, and a request is.
              app.clock.advance(by: timing.silence + .seconds(1))
              try await eventually("the client notices") { await !app.isConnected }
              try await eventually("it tries again") { app.hub.connections > before }
              app.clock.advance(by: timing.silence + .seconds(1))
            }
            if case .slow = condition { try await agree(belfry, person, app) }
            app.setLines(.whole)
            try await marking.result()
            try await agree(belfry, person, app)
          }
          try await expectEachOnce(app, try await belfry.storedInbox(of: person).inbox.map(\.id))
        }
      }
    }

    @Test func `what a user does while gateway and nodes are killed is done, once`() async throws {
      try await TestStack.with { belfry in
        let person = try await belfry.makeUser(platforms: [])
        try await store(12, belfry, person)
        try await TestApp.with(belfry, person, TestApp.Options(timing: .quick)) { app in
          try await agree(belfry, person, app)
          let items = try #require(try await app.list())
          let gateway = try #require(belfry.stack.services(.gateway).first)
          let node = try #require(belfry.stack.services(.inapp).first)
          for round in 0..<3 {
            let mine = items[(round * 4)..<(round * 4 + 4)].map(\.id)
            await gateway.kill()
            let reading = await app.client.markAsRead([mine[0], mine[1]])
            let archiving = await app.client.archive(mine[2])
            let deleting = await app.client.delete(mine[3])
            await node.kill()
            try await gateway.restart()
            try await node.restart()
            for operation in [reading, archiving, deleting] { try await operation.result() }
            try await belfry.sendSurely(to: person)
          }
          try await eventually("all are stored") { try await belfry.inbox(of: person).count == 15 }
          try await agree(belfry, person, app)
          let stored = try await belfry.storedInbox(of: person)
          #expect(stored.archived.count == 3 && stored.deleted.count == 3 && stored.unread == 3)
          try await expectAnnouncements(app, 3)
        }
      }
    }

    @Test func `a token that ends in the middle is asked for once, and nothing is lost`() async throws {
      try await TestStack.with { belfry in
        let person = try await belfry.makeUser(platforms: [])
        // Servers allow for half a minute: it is good for some seconds more, and then the hub ends the connection.
        let options = TestApp.Options(timing: .quick, firstToken: .seconds(-26))
        try await TestApp.with(belfry, person, options) { app in
          try await store(2, belfry, person)
          try await eventually("the next token is asked for", within: .seconds(60)) {
            app.tokens.asked == [.needed, .refused]
          }
          try await store(2, belfry, person)
          try await agree(belfry, person, app)
          // As often as it ends: calls that are refused at the same time ask once.
          app.tokens.expire()
          let ids = try #require(try await app.list()).map(\.id)
          var operations: [PendingOperation] = []
          for id in ids { operations.append(await app.client.markAsRead([id])) }
          for operation in operations { try await operation.result() }
          try await store(1, belfry, person)
          try await agree(belfry, person, app)
          #expect(app.tokens.asked == [.needed, .refused, .refused])
          try await expectAnnouncements(app, 5)
        }
      }
    }

    @Test func `an hour without a network loses nothing of what came and of what was done`() async throws {
      try await TestStack.with { belfry in
        let person = try await belfry.makeUser(platforms: [])
        try await store(5, belfry, person)
        try await TestApp.with(belfry, person) { app in
          try await agree(belfry, person, app)
          let ids = try #require(try await app.list()).map(\.id)
          app.transport.isOffline = true
          app.setLines(.cut)
          try await eventually("the client notices") { await !app.isConnected }
          let reading = await app.client.markAsRead([ids[0]])
          let archiving = await app.client.archive(ids[1])
          let deleting = await app.client.delete(ids[2])
          let undone = await app.client.delete(ids[3])
          #expect(await undone.undo())
          try await store(15, belfry, person)
          for _ in 0..<60 {
            app.clock.advance(by: .seconds(60))
            // The client's sleepers notice after that long, and do what they had waited for.
            try await app.clock.sleep(for: .milliseconds(25))
          }
          #expect(await app.state == .reconnecting)
          #expect(await app.client.list().notifications.map(\.id) == [ids[0], ids[3], ids[4]])
          app.transport.isOffline = false
          app.setLines(.whole)
          // As an app tells it when the device has a network again, or is taken out of the pocket.
          await app.client.enterForeground()
          for operation in [reading, archiving, deleting] { try await operation.result() }
          try await agree(belfry, person, app)
          let stored = try await belfry.storedInbox(of: person)
          #expect(stored.archived == [ids[1]] && stored.deleted == [ids[2]] && stored.inbox.count == 18)
          try await expectEachOnce(app, stored.inbox.map(\.id).filter { !ids.contains($0) })
        }
      }
    }

    @Test func `ten thousand notifications are read to the end, and counted`() async throws {
      try await TestStack.with { belfry in
        let person = try await belfry.makeUser(platforms: [])
        try await store(1, belfry, person)
        try await belfry.copyFirst(of: person, upTo: 10_000)
        try await TestApp.with(belfry, person) { app in
          let list = try #require(try await app.list())
          #expect(list.compactMap(\.seq) == (1...10_000).reversed().map(Int64.init))
          #expect(await app.client.unreadCount == 10_000)
          try await store(5, belfry, person)
          try await agree(belfry, person, app)
          try await app.client.archive(list[9_990].id).result()
          try await agree(belfry, person, app)
          try await app.client.markAllAsRead().result()
          try await agree(belfry, person, app)
          #expect(await app.client.unreadCount == 0)
          try await expectAnnouncements(app, 5)
        }
      }
    }

    @Test func `what one of two apps does, and takes back, is what the other has`() async throws {
      try await TestStack.with { belfry in
        let person = try await belfry.makeUser(platforms: [])
        try await store(6, belfry, person)
        try await TestApp.with(belfry, person) { phone in
          try await TestApp.with(belfry, person, TestApp.Options(node: 1)) { tablet in
            try await agree(belfry, person, phone, tablet)
            let ids = try #require(try await phone.list()).map(\.id)
            let deleting = await phone.client.delete(ids[0])
            #expect(await phone.client.notification(ids[0]) == nil)
            #expect(await deleting.undo())
            #expect(await phone.client.notification(ids[0]) != nil)
            let gone = await tablet.client.delete(ids[1])
            // The time in which it can be undone.
            tablet.clock.advance(by: .seconds(6))
            try await gone.result()
            #expect(await !gone.undo())
            try await phone.client.archive(ids[2]).result()
            try await tablet.client.markAsRead([ids[3], ids[4]]).result()
            try await agree(belfry, person, phone, tablet)
            let kept = try #require(try await tablet.list()).map(\.id)
            #expect(kept == [ids[0], ids[3], ids[4], ids[5]])
            try await phone.client.unarchive(ids[2]).result()
            try await tablet.client.markAllAsRead().result()
            try await agree(belfry, person, phone, tablet)
            #expect(await phone.client.unreadCount == 0)
            #expect(try await phone.list()?.count == 5)
          }
        }
      }
    }
  }
}

extension ClientTiming {
  /// Short pauses, for tests in which many things fail.
  static var quick: ClientTiming {
    var timing = ClientTiming()
    timing.undo = .milliseconds(300)
    timing.seen = .milliseconds(50)
    timing.verify = .milliseconds(200)
    timing.behind = .milliseconds(100)
    timing.request = .seconds(2)
    timing.retryMinimum = .milliseconds(50)
    timing.retryMaximum = .milliseconds(400)
    timing.retryLong = .milliseconds(800)
    timing.steady = .seconds(2)
    return timing
  }
}
