import CatalogueVersions
import Foundation
import NotificationModel
import NotificationStore
import Postgres
import Retrying
import SignalRProtocol
import TestSupport
import Testing

@testable import InAppDispatcher

/// What clients call, on a real database.
@Suite struct MethodTests {
  private func call(_ id: String?, _ target: String, _ arguments: [HubValue] = []) -> HubMessage {
    .invocation(id: id, target: target, arguments: arguments)
  }

  private func unread(_ test: TestMethods, _ user: UserID) async throws -> Int {
    try await InboxStore(client: test.database).counts(of: user).unread
  }

  @Test(arguments: HubProtocol.allCases)
  func `MarkAsRead marks what is the caller's, as often as it is called`(hubProtocol: HubProtocol) async throws {
    try await TestMethods.run { test in
      let (anna, ben) = (UserID.random(), UserID.random())
      try await test.store(3, for: anna)
      try await test.store(1, for: ben)
      let client = try await test.hub.connect(anna, as: hubProtocol)
      let id = try await test.ids(of: anna)[1]
      for (number, spelling) in [(1, "MarkAsRead"), (2, "markasread")] {
        try await client.send(call("\(number)", spelling, [.string(id.description)]), as: hubProtocol)
        #expect(try await client.message(as: hubProtocol) == .completion(id: "\(number)", .value(.null)))
        #expect(try await unread(test, anna) == 2)
      }
      let foreign = try await test.ids(of: ben)[0]
      for unknown in [foreign, NotificationID(UUID())] {
        try await client.send(call("3", "MarkAsRead", [.string(unknown.description)]), as: hubProtocol)
        #expect(
          try await client.message(as: hubProtocol)
            == .completion(
              id: "3",
              .error(
                "An unexpected error occurred invoking 'MarkAsRead' on the server. "
                  + "HubException: id: there is no such notification"
              )
            )
        )
      }
      #expect(try await unread(test, ben) == 1)
      #expect(test.hub.server.statistics[.callFailed] == 2)
      // Without an id it is done, too, and nobody gets an answer.
      let other = try await test.ids(of: anna)[0]
      try await client.send(call(nil, "MarkAsRead", [.string(other.description)]), as: hubProtocol)
      try await eventually("one is unread") { try await unread(test, anna) == 1 }
      #expect(try await client.hasNothing())
    }
  }

  @Test func `until it is known which catalogue is in force nothing is told by another`() async throws {
    let own = """
      version: 1
      defaults: { channels: { inApp: true }, priority: normal, timeToLiveDays: 1, title: T, body: B }
      types: [{ code: 10, name: OrderSent, category: Orders, replaces: true }]
      """
    let catalogues = try CatalogueInForce(file: "", store: CatalogueVersionsInMemory([own]), logger: .quiet)
    try await TestMethods.run(catalogues: catalogues) { test in
      let anna = UserID.random()
      try await test.store(1, for: anna)
      let client = try await test.hub.connect(anna)
      try await client.send(call("1", "MarkAllAsRead"))
      let failure = "An unexpected error occurred invoking 'MarkAllAsRead' on the server."
      #expect(try await client.message(as: .json) == .completion(id: "1", .error(failure)))
      #expect(try await unread(test, anna) == 1)
      do {
        _ = try await test.methods.missed(by: anna, after: 0, limit: 1, withChanges: false, as: .json)
        Issue.record("nobody knows the catalogue")
      } catch {
        // So a Resume waits a while.
        #expect(error.isTransientFailure)
      }
      try await catalogues.refresh()
      try await client.send(.resume("r", after: 0))
      guard case .completion("r", .value(.array(let items))) = try await client.message(as: .json) else {
        throw TestConnection.Unexpected(what: "no items")
      }
      #expect(items.map { $0["category"]?.stringValue } == ["Orders"])
      try await client.send(call("2", "MarkAllAsRead"))
      try await eventually("it is read") { try await unread(test, anna) == 0 }
    }
  }

  @Test func `MarkAllAsRead marks all of the caller's`() async throws {
    try await TestMethods.run { test in
      let (anna, ben) = (UserID.random(), UserID.random())
      try await test.store(150, for: anna)
      try await test.store(1, for: ben)
      let client = try await test.hub.connect(anna)
      for id in ["1", "2"] {
        try await client.send(call(id, "MarkAllAsRead"))
        #expect(try await client.message() == #"{"type":3,"invocationId":"\#(id)","result":null}"#)
      }
      #expect(try await unread(test, anna) == 0)
      #expect(try await unread(test, ben) == 1)
    }
  }

  @Test func `MarkAllAsSeen leaves all of the caller's unread, and none of them unseen`() async throws {
    try await TestMethods.run { test in
      let (anna, ben) = (UserID.random(), UserID.random())
      try await test.store(3, for: anna)
      try await test.store(1, for: ben)
      let client = try await test.hub.connect(anna)
      for id in ["1", "2"] {
        try await client.send(call(id, "MarkAllAsSeen"))
        #expect(try await client.message() == #"{"type":3,"invocationId":"\#(id)","result":null}"#)
      }
      let inbox = InboxStore(client: test.database)
      #expect(try await inbox.counts(of: anna) == .init(unread: 3, total: 3, unseen: 0))
      #expect(try await inbox.counts(of: ben) == .init(unread: 1, total: 1, unseen: 1))
    }
  }

  @Test func `calls are carried out one by one, in order, and not too many wait`() async throws {
    try await TestMethods.run { test in
      let anna = UserID.random()
      try await test.store(1, for: anna)
      let client = try await test.hub.connect(anna)
      try await test.database.withConnection { session in
        try await session.script("BEGIN; LOCK TABLE inbox IN ACCESS EXCLUSIVE MODE")
        for id in 1...34 { try await client.send(call("\(id)", "MarkAllAsRead")) }
        let tooMany = "An unexpected error occurred invoking 'MarkAllAsRead' on the server."
        #expect(
          try await client.message(as: .json)
            == .completion(id: "34", .error("\(tooMany) HubException: Too many calls at once."))
        )
        // What waits can be cancelled; what runs, or is unknown, cannot.
        for id in ["20", "1", "unknown"] { try await client.send(.cancelInvocation(id: id)) }
        #expect(
          try await client.message(as: .json)
            == .completion(id: "20", .error("Invocation canceled by the client."))
        )
        try await session.script("COMMIT")
      }
      for id in 1...33 where id != 20 {
        #expect(try await client.message(as: .json) == .completion(id: "\(id)", .value(.null)))
      }
    }
  }

  @Test func `what a client streams or completes is ignored, and wrong calls are told apart`() async throws {
    try await TestMethods.run { test in
      let client = try await test.hub.connect(.random())
      try await client.send(.streamItem(id: "7", item: .integer(1)))
      try await client.send(.completion(id: "7", .void))
      try await client.send(.completion(id: "8", .error("no")))
      try await client.send(.streamInvocation(id: "1", target: "StopViewing", arguments: []))
      guard case .completion("1", .error(let error)) = try await client.message(as: .json) else {
        throw TestConnection.Unexpected(what: "no error")
      }
      #expect(error.contains("non-streaming 'StopViewing' method"))
      try await client.send(call("2", "Shout"))
      #expect(try await client.message(as: .json) == .completion(id: "2", .error(TestHub.missing("Shout"))))
    }
  }

  // MARK: Presence

  private func viewed(_ test: TestMethods, _ user: UserID) async throws -> Set<RelatedEntity> {
    try await PresenceStore(client: test.database).viewed(by: [user], timeout: .seconds(5))[user] ?? []
  }

  private func rows(_ test: TestMethods) async throws -> Int {
    try await test.database.query("SELECT 1 FROM presence").count
  }

  @Test func `what a client looks at is known as long as it looks and its connection lives`() async throws {
    try await TestMethods.run { test in
      let anna = UserID.random()
      let goal = try #require(RelatedEntity(type: "goal", id: "g1"))
      let chore = try #require(RelatedEntity(type: "chore", id: "c1"))
      // The node's first sign of life.
      try await eventually("the node is there") { try await !test.database.query("SELECT 1 FROM nodes").isEmpty }
      let client = try await test.hub.connect(anna)
      for (id, entity) in [("1", goal), ("2", chore)] {
        let arguments = [HubValue.string(entity.type.uppercased()), .string(entity.id)]
        try await client.send(call(id, "StartViewing", arguments))
        #expect(try await client.message(as: .json) == .completion(id: id, .value(.null)))
        #expect(try await viewed(test, anna) == [entity])
      }
      let other = try await TestPolling.open(test.hub, anna, as: .messagePack)
      try await other.post(call("1", "StartViewing", [.string("goal"), .string("g1")]))
      #expect(try await other.messages() == [.completion(id: "1", .value(.null))])
      #expect(try await viewed(test, anna) == [goal, chore])

      try await client.send(call("3", "StopViewing"))
      #expect(try await client.message(as: .json) == .completion(id: "3", .value(.null)))
      #expect(try await viewed(test, anna) == [goal])
      #expect(try await other.delete().status == 202)
      try await eventually("nobody looks any more") { try await rows(test) == 0 }

      try await client.send(call("4", "StartViewing", [.string("goal"), .string("g1")]))
      #expect(try await client.message(as: .json) == .completion(id: "4", .value(.null)))
      try await client.reset()
      try await eventually("nobody looks any more") { try await rows(test) == 0 }
      // It begins to look while it goes.
      let hasty = try await test.hub.connect(anna)
      try await hasty.send(call("1", "StartViewing", [.string("goal"), .string("g1")]))
      await hasty.close()
      try await eventually("all were called") { test.hub.server.statistics[.called] == 6 }
      try await eventually("nobody looks any more") { try await rows(test) == 0 }
    }
  }

  @Test func `nothing, or too much, cannot be looked at`() async throws {
    try await TestMethods.run { test in
      let client = try await test.hub.connect(.random())
      for arguments: [HubValue] in [[.string(""), .string("1")], [.string("goal"), .null], [.string("goal")]] {
        try await client.send(call("1", "StartViewing", arguments))
        guard case .completion("1", .error(let error)) = try await client.message(as: .json) else {
          throw TestConnection.Unexpected(what: "no error")
        }
        #expect(error.hasPrefix("An unexpected error occurred invoking 'StartViewing' on the server. HubException: "))
      }
    }
  }

  @Test func `a node that stops takes its rows along`() async throws {
    try await TestMethods.run { test in
      let store = PresenceStore(client: test.database)
      let keeper = PresenceKeeper(store: store, node: "node-2", logger: .quiet)
      let entity = try #require(RelatedEntity(type: "goal", id: "g1"))
      let running = Task { try await keeper.run() }
      try await eventually("the node is there") {
        try await !test.database.query("SELECT 1 FROM nodes WHERE node = 'node-2'").isEmpty
      }
      try await keeper.start(.random(), .random(), entity)
      #expect(try await rows(test) == 1)
      running.cancel()
      _ = await running.result
      // A cancelled node cannot say goodbye: its rows count for nothing once it is not seen any more.
      let user = UserID.random()
      try await keeper.start(user, .random(), entity)
      _ = try await test.database.query("UPDATE nodes SET seen_at = now() - interval '1 minute'")
      #expect(try await viewed(test, user) == [])
    }
  }
}
