import Foundation
import NotificationModel
import NotificationStore
import Postgres
import SignalRProtocol
import Testing

@testable import InAppDispatcher

/// `Resume` on a real database.
@Suite struct ResumeTests {
  @Test(arguments: HubProtocol.allCases)
  func `what was missed is the result, in order`(hubProtocol: HubProtocol) async throws {
    try await TestMethods.run { test in
      let anna = UserID.random()
      try await test.store(5, for: anna)
      try await test.store(2, for: .random())
      let client = try await test.hub.connect(anna, as: hubProtocol)
      try await client.send(.resume("r", after: 2), as: hubProtocol)
      let result = try await client.message(as: hubProtocol)
      #expect(result.resultSeqs == [3, 4, 5])
      guard case .completion("r", .value(.array(let items))) = result, case .object(let members)? = items.first else {
        throw TestConnection.Unexpected(what: "\(result)")
      }
      #expect(members.count == 21)
      #expect(try await items[0]["id"]?.stringValue == test.ids(of: anna)[2].description)
      #expect(items[0]["title"]?.stringValue == "Número 3")
      #expect(try await client.message(as: hubProtocol).unreadCount == 5)
      // Live again.
      try await test.send(1, to: anna)
      #expect(try await client.message(as: hubProtocol).seq == 6)
      #expect(try await client.message(as: hubProtocol).unreadCount == 6)
    }
  }

  @Test func `nothing missed is an empty result`() async throws {
    try await TestMethods.run { test in
      for (count, seq) in [(0, 0), (3, 3)] {
        let anna = UserID.random()
        try await test.store(count, for: anna)
        let client = try await test.hub.connect(anna)
        try await client.send(.resume("r", after: seq))
        #expect(try await client.message(as: .json).resultSeqs == [])
        #expect(try await client.message(as: .json).unreadCount == count)
      }
    }
  }

  @Test func `what came live before is not given again, nor what a Resume has given`() async throws {
    try await TestMethods.run { test in
      let anna = UserID.random()
      try await test.store(3, for: anna)
      let client = try await test.hub.connect(anna)
      try await test.send(2, to: anna)
      for seq in 4...5 {
        #expect(try await client.message(as: .json).seq == seq)
        #expect(try await client.message(as: .json).unreadCount != nil)
      }
      try await client.send(.resume("r", after: 1))
      #expect(try await client.message(as: .json).resultSeqs == [2, 3])
      #expect(try await client.message(as: .json).unreadCount == 5)
      try await client.send(.resume("s", after: 0))
      #expect(try await client.message(as: .json).resultSeqs == [])
      #expect(try await client.message(as: .json).unreadCount == 5)
    }
  }

  @Test(arguments: HubProtocol.allCases)
  func `beyond a hundred the rest follows as messages, before anything new`(hubProtocol: HubProtocol) async throws {
    try await TestMethods.run { test in
      let anna = UserID.random()
      try await test.store(350, for: anna)
      let client = try await test.hub.connect(anna, as: hubProtocol)
      try await client.send(.resume("r", after: 0), as: hubProtocol)
      #expect(try await client.message(as: hubProtocol).resultSeqs == Array(1...100))
      try await test.send(1, to: anna)
      var seqs: [Int] = []
      var count: Int?
      while seqs.last != 351 || count != 351 {
        let message = try await client.message(as: hubProtocol)
        if let seq = message.seq { seqs.append(seq) }
        if let unread = message.unreadCount { count = unread }
      }
      #expect(seqs == Array(101...351))
      #expect(try await client.hasNothing())
    }
  }

  @Test func `as a stream each notification is an item, then the count, then the completion`() async throws {
    try await TestMethods.run { test in
      let anna = UserID.random()
      try await test.store(130, for: anna)
      let client = try await test.hub.connect(anna)
      try await client.send(.streamInvocation(id: "s", target: "resume", arguments: [.integer(10)]))
      for seq in 11...130 {
        let item = try await client.message(as: .json)
        guard case .streamItem("s", _) = item else { throw TestConnection.Unexpected(what: "\(item)") }
        #expect(item.seq == seq)
      }
      #expect(try await client.message(as: .json).unreadCount == 130)
      #expect(try await client.message(as: .json) == .completion(id: "s", .void))
    }
  }

  @Test func `a cancelled stream completes, and what comes later comes all the same`() async throws {
    try await TestMethods.run { test in
      let anna = UserID.random()
      try await test.store(2_000, for: anna)
      let client = try await test.hub.connect(anna)
      try await client.send(.streamInvocation(id: "s", target: "Resume", arguments: [.integer(0)]))
      try await client.send(.cancelInvocation(id: "s"))
      try await client.send(.cancelInvocation(id: "unknown"))
      var last = 0
      while true {
        let message = try await client.message(as: .json)
        if case .completion(id: "s", .void) = message { break }
        if let seq = message.seq {
          #expect(seq == last + 1)
          last = seq
        }
      }
      try await client.send(.invocation(id: "n", target: "X", arguments: []))
      #expect(try await client.nextMessage() == .completion(id: "n", .error(TestHub.missing("X"))))
    }
  }

  @Test func `without an id everything comes as messages`() async throws {
    try await TestMethods.run { test in
      let anna = UserID.random()
      try await test.store(120, for: anna)
      let client = try await test.hub.connect(anna)
      try await client.send(.resume(nil, after: 5))
      for seq in 6...120 { #expect(try await client.message(as: .json).seq == seq) }
      #expect(try await client.message(as: .json).unreadCount == 120)
    }
  }

  @Test func `a seq beyond the inbox silences nothing`() async throws {
    try await TestMethods.run { test in
      let anna = UserID.random()
      try await test.store(3, for: anna)
      let client = try await test.hub.connect(anna)
      for seq in [4, 1_000_000, Int.max / 2] {
        try await client.send(.resume("r", after: seq))
        #expect(try await client.message(as: .json).resultSeqs == [])
        #expect(try await client.message(as: .json).unreadCount == 3)
      }
      try await test.send(1, to: anna)
      #expect(try await client.message(as: .json).seq == 4)
    }
  }

  @Test func `large notifications come in portions that a slow client can take`() async throws {
    try await TestMethods.run(adjust: { $0.limits.maximumPendingBytes = 65_536 }) { test in
      let anna = UserID.random()
      try await test.store(100, for: anna, body: String(repeating: "é", count: 2_000))
      for client in [
        try await TestPolling.open(test.hub, anna), try await TestPolling.open(test.hub, anna, as: .messagePack),
      ] {
        try await client.post(.resume("r", after: 0))
        var seqs: [Int] = []
        while seqs.count < 100 {
          for message in try await client.messages() { seqs += message.resultSeqs ?? message.seq.map { [$0] } ?? [] }
        }
        #expect(seqs == Array(1...100))
      }
      #expect(test.hub.server.statistics[.ended(.slow)] == 0)
    }
  }

  @Test func `it works over every transport`() async throws {
    try await TestMethods.run { test in
      let anna = UserID.random()
      try await test.store(3, for: anna)
      let stream = try await TestEventStream.open(test.hub, anna)
      try await stream.post(String(decoding: HubProtocol.json.encode(.resume("r", after: 1)), as: UTF8.self))
      let event = try await stream.events.event()
      #expect(try HubProtocol.json.messages(in: Array("\(event)\u{1E}".utf8)).first?.resultSeqs == [2, 3])
      for hubProtocol in HubProtocol.allCases {
        let polls = try await TestPolling.open(test.hub, anna, as: hubProtocol)
        try await polls.post(.resume("r", after: 1))
        #expect(try await polls.messages().first?.resultSeqs == [2, 3])
      }
    }
  }

  @Test(arguments: HubProtocol.allCases)
  func `what became of what the client has follows the missed, before the count`(hubProtocol: HubProtocol) async throws
  {
    try await TestMethods.run { test in
      let anna = UserID.random()
      try await test.store(3, for: anna)
      let ids = try await test.ids(of: anna)
      let inbox = InboxStore(client: test.database)
      _ = try await inbox.apply(.archive, to: [ids[0]], of: anna, at: .now)
      _ = try await inbox.apply(.delete, to: [ids[1]], of: anna, at: .now)
      try await test.store(1, for: anna)
      let client = try await test.hub.connect(anna, as: hubProtocol)
      try await client.send(.resume("r", after: 3), as: hubProtocol)
      #expect(try await client.message(as: hubProtocol).resultSeqs == [4])
      guard case .invocation(nil, "NotificationChanged", let changed, _) = try await client.message(as: hubProtocol)
      else {
        throw TestConnection.Unexpected(what: "no change")
      }
      #expect(changed.first?["id"]?.stringValue == ids[0].description)
      #expect(changed.first?["archivedAt"]?.stringValue != nil)
      #expect(
        try await client.message(as: hubProtocol)
          == .invocation(id: nil, target: "NotificationDeleted", arguments: [.string(ids[1].description)])
      )
      #expect(try await client.message(as: hubProtocol).unreadCount == 2)
      #expect(try await client.hasNothing())
    }
  }
}
