import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore
import Postgres
import SignalRProtocol
import TestSupport
import Testing

@testable import InAppDispatcher

/// `Resume` while notifications come, connections break and the database fails.
@Suite struct ResumeRaceTests {
  /// The queries that read pages and `seq`, in the terms of pg_stat_activity.
  private static let pages = "%in_order AS (%"
  private static let seqs = "%LATERAL (SELECT seq FROM inbox%"

  /// Sends a call that reads the inbox, and does something after the read has begun, seeing what there was, and before it
  /// ends.
  private func whileReading(
    _ test: TestMethods,
    _ client: TestConnection,
    _ call: HubMessage,
    _ body: (PostgresSession) async throws -> Void
  ) async throws {
    try await whileReading(test, Self.pages) {
      try await client.send(call)
    } then: {
      try await body($0)
    }
  }

  /// - Parameter body: What it asks of the database goes over this session: on any other connection it might stand behind the
  ///   query that waits.

  private func whileReading(
    _ test: TestMethods,
    _ query: String,
    _ begin: () async throws -> Void,
    then body: (PostgresSession) async throws -> Void
  ) async throws {
    try await test.database.withConnection { session in
      try await session.script(
        """
        ALTER TABLE inbox RENAME TO inbox_table;
        CREATE VIEW inbox AS SELECT * FROM inbox_table WHERE pg_advisory_xact_lock_shared(42) IS NOT NULL;
        SELECT pg_advisory_lock(42);
        """
      )
      try await begin()
      try await eventually("the statement waits for the lock") {
        try await !session.query(
          """
          SELECT 1 FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event = 'advisory' AND query LIKE \(query)
          """
        ).isEmpty
      }
      try await body(session)
      try await session.script("SELECT pg_advisory_unlock(42)")
      // Waits until it has been read; the router's statement asks for more than a view has.
      try await session.script("DROP VIEW inbox; ALTER TABLE inbox_table RENAME TO inbox")
    }
  }

  /// Puts a notification into the inbox, past the view that waits while there is one.
  private func insert(
    for user: UserID,
    into inbox: String = "inbox_table",
    _ query: (SQLQuery) async throws -> PostgresResult
  ) async throws -> RealtimeMessage {
    let id = NotificationID(UUID())
    let rows = try await query(
      """
      WITH box AS (
        UPDATE \(unescaped: inbox) SET seq = seq + 1, unread = unread + 1, total = total + 1 WHERE user_id = \(user)
        RETURNING seq, unread
      ), added AS (
        INSERT INTO notifications (user_id, id, request_id, type, title, body, in_app, push, email, seq, created_at,
          expires_at)
        SELECT \(user), belfry_uuid_at(now()), \(user), 10, 'Late', 'Body', 0, 0, 2, seq, now(),
          now() + interval '1 day' FROM box
      )
      SELECT seq, unread FROM box
      """
    )
    let row = try #require(rows.first)
    let (seq, unread): (Int, Int) = (try row.get(0), try row.get(1))
    return try TestHub.message(
      events: #"""
        {"kind":"notification","userId":"\#(user)","notificationId":"\#(id)","content":0,"seq":\#(seq),\#
        "unread":\#(unread)}
        """#
    )
  }

  @Test(arguments: [0, 3, 1_000])
  func `what is published after a page was read, but before it is given, is not lost`(seq: Int) async throws {
    try await TestMethods.run { test in
      let anna = UserID.random()
      try await test.store(3, for: anna)
      let client = try await test.hub.connect(anna)
      try await whileReading(test, client, .resume("r", after: seq)) { session in
        try await test.hub.server.deliver([insert(for: anna) { try await session.query($0) }])
      }
      #expect(try await client.message(as: .json).resultSeqs == (seq == 0 ? [1, 2, 3] : []))
      #expect(try await client.message(as: .json).seq == 4)
      #expect(try await client.message(as: .json).unreadCount == 4)
      #expect(try await client.hasNothing())
    }
  }

  @Test func `a change that is sent while an older page is read is sent again after it`() async throws {
    try await TestMethods.run { test in
      let anna = UserID.random()
      try await test.store(1, for: anna)
      let id = try await test.ids(of: anna)[0]
      let client = try await test.hub.connect(anna)
      let deleted = HubMessage.invocation(
        id: nil,
        target: "NotificationDeleted",
        arguments: [.string(id.description)]
      )
      try await whileReading(test, client, .resume("r", after: 0)) { _ in
        try await test.hub.server.deliver([
          RealtimeMessage(events: [], changes: [.init(userId: anna, state: .deleted(id))])
        ])
      }
      #expect(try await client.message(as: .json) == deleted)
      // The page was read before.
      #expect(try await client.message(as: .json).resultSeqs == [1])
      #expect(try await client.message(as: .json) == deleted)
      #expect(try await client.message(as: .json).unreadCount == 1)
      #expect(try await client.hasNothing())
    }
  }

  @Test(arguments: [false, true])
  func `a read mark that is sent while an older page is read is sent again after it`(isStream: Bool) async throws {
    try await TestMethods.run { test in
      let anna = UserID.random()
      try await test.store(2, for: anna)
      let ids = try await test.ids(of: anna)
      let client = try await test.hub.connect(anna)
      let marks = ids.map { HubMessage.invocation(id: nil, target: "NotificationRead", arguments: [.string("\($0)")]) }
      let call = HubMessage.streamInvocation(id: "r", target: "Resume", arguments: [.integer(0)])
      try await whileReading(test, client, isStream ? call : .resume("r", after: 0)) { _ in
        // The count last: none that came before it may come after it.
        try await test.hub.server.deliver([
          RealtimeMessage(
            events: zip(ids, [1, 0]).map { .init(.read($0), userId: anna, unread: $1) }
          ),
          TestHub.unread(anna, 3),
        ])
      }
      for (mark, count) in zip(marks, [1, 0]) {
        #expect(try await client.message(as: .json) == mark)
        #expect(try await client.message(as: .json).unreadCount == count)
      }
      #expect(try await client.message(as: .json).unreadCount == 3)
      // The page was read before.
      if isStream {
        for seq in 1...2 { #expect(try await client.message(as: .json).seq == seq) }
      } else {
        #expect(try await client.message(as: .json).resultSeqs == [1, 2])
      }
      for mark in marks { #expect(try await client.message(as: .json) == mark) }
      #expect(try await client.message(as: .json).unreadCount == 3)
      if isStream { #expect(try await client.message(as: .json) == .completion(id: "r", .void)) }
      #expect(try await client.hasNothing())
    }
  }

  @Test func `a count that is sent while a page is read is sent again after it, and no older one`() async throws {
    try await TestMethods.run { test in
      let anna = UserID.random()
      try await test.store(3, for: anna)
      let client = try await test.hub.connect(anna)
      try await whileReading(test, client, .resume("r", after: 0)) { session in
        _ = try await session.query("UPDATE inbox_table SET unread = 0 WHERE user_id = \(anna)")
        try await test.hub.server.deliver([TestHub.unread(anna, 0)])
      }
      #expect(try await client.message(as: .json).unreadCount == 0)
      #expect(try await client.message(as: .json).resultSeqs == [1, 2, 3])
      // Of many that were read at once nothing else is sent: the count says that those of the page are read, too.
      #expect(try await client.message(as: .json).unreadCount == 0)
      #expect(try await client.hasNothing())
    }
  }

  @Test(arguments: [true, false])
  func `a stream cancelled while it is read gives what came meanwhile as messages`(isDelivered: Bool) async throws {
    try await TestMethods.run { test in
      let anna = UserID.random()
      try await test.store(3, for: anna)
      let client = try await test.hub.connect(anna)
      let call = HubMessage.streamInvocation(id: "s", target: "Resume", arguments: [.integer(0)])
      try await whileReading(test, client, call) { session in
        if isDelivered { try await test.hub.server.deliver([insert(for: anna) { try await session.query($0) }]) }
        // It waits for the stream.
        try await client.send(.invocation(id: "n", target: "X", arguments: []))
        try await client.send(.cancelInvocation(id: "s"))
        #expect(try await client.message(as: .json) == .completion(id: "s", .void))
      }
      // The stream is over; what came meanwhile holds up no other call.
      #expect(try await client.message(as: .json) == .completion(id: "n", .error(TestHub.missing("X"))))
      if isDelivered {
        #expect(try await client.message(as: .json).seq == 4)
        #expect(try await client.message(as: .json).unreadCount == 4)
      }
    }
  }

  @Test func `notifications that come all the while reach the client in order and once, however it asks`()
    async throws
  {
    try await TestMethods.run { test in
      let anna = UserID.random()
      try await test.store(250, for: anna)
      let total = 450
      async let sent: Void = {
        for _ in 0..<40 { try await test.send(5, to: anna) }
      }()
      var last = 0
      var round = 0
      while last < total {
        round += 1
        let hubProtocol = HubProtocol.allCases[round % 2]
        let client = try await test.hub.connect(anna, as: hubProtocol)
        let known = last
        if round % 3 == 0 {
          try await client.send(
            .streamInvocation(id: "r", target: "Resume", arguments: [.integer(Int64(known))]),
            as: hubProtocol
          )
        } else {
          try await client.send(.resume("r", after: known), as: hubProtocol)
        }
        // What comes live before the call is read is not in order with its result; the client sorts it in.
        var got = Set<Int>()
        var hasResult = false
        for _ in 0..<Int.random(in: 3...60) where last < total {
          let message = try await client.message(as: hubProtocol)
          hasResult = hasResult || message.resultSeqs != nil
          for seq in message.resultSeqs ?? message.seq.map({ [$0] }) ?? [] {
            #expect(got.insert(seq).inserted)
            #expect(seq > known)
          }
          while got.contains(last + 1) { last += 1 }
        }
        await client.close()
      }
      try await sent
      #expect(last == total)
      #expect(try await test.ids(of: anna).count == total)
    }
  }

  @Test func `events in the wrong order, or lost by the broker, are put right from the database`() async throws {
    try await TestMethods.run { test in
      let anna = UserID.random()
      try await test.store(2, for: anna)
      let client = try await test.hub.connect(anna)
      _ = try await test.store(1, for: anna)
      let (fourth, fifth) = (try await test.store(1, for: anna), try await test.store(1, for: anna))
      try await test.hub.server.deliver([fifth])
      for seq in 3...5 { #expect(try await client.message(as: .json).seq == seq) }
      #expect(try await client.message(as: .json).unreadCount == 5)
      try await test.hub.server.deliver([fourth, fifth])
      try await test.send(1, to: anna)
      #expect(try await client.message(as: .json).seq == 6)
      #expect(test.hub.server.statistics[.replayed] == 3)
    }
  }

  @Test func `a Resume goes on over the WebSocket that takes up its connection`() async throws {
    try await TestMethods.run { test in
      let anna = UserID.random()
      try await test.store(3, for: anna)
      let client = try await StatefulClient(test.hub, anna)
      try await whileReading(test, client.socket, .resume("r", after: 1)) { session in
        try await client.socket.reset()
        let stored = try await insert(for: anna) { try await session.query($0) }
        try await test.hub.server.deliver([stored])
      }
      // Whether it was answered before or afterwards: the client has lost it with the WebSocket, and gets it again.
      #expect(try await client.reattach() == 1)
      #expect(try await client.numbered().resultSeqs == [2, 3])
      #expect(try await client.numbered().seq == 4)
      #expect(try await client.numbered().unreadCount == 4)
      try await test.send(1, to: anna)
      #expect(try await client.numbered().seq == 5)
    }
  }

  @Test func `a gap that is noticed while the WebSocket is away is filled over the next one`() async throws {
    try await TestMethods.run { test in
      let anna = UserID.random()
      let client = try await StatefulClient(test.hub, anna)
      try await test.send(1, to: anna)
      #expect(try await client.numbered().seq == 1)
      #expect(try await client.numbered().unreadCount == 1)
      try await client.send(.ack(sequenceID: 2))
      try await client.socket.reset()
      // Lost by the broker.
      try await test.store(2, for: anna)
      try await test.send(1, to: anna)
      let first = try await client.reattach()
      // Its acknowledgement may have been lost with the WebSocket.
      if first == 1 { _ = (try await client.numbered(), try await client.numbered()) }
      for seq in 2...4 { #expect(try await client.numbered().seq == seq) }
      #expect(try await client.numbered().unreadCount == 4)
    }
  }

  @Test func `a read that dies with its database connection is made again`() async throws {
    try await TestMethods.run { test in
      let anna = UserID.random()
      try await test.store(3, for: anna)
      let client = try await test.hub.connect(anna)
      try await whileReading(test, client, .resume("r", after: 1)) { session in
        let rows = try await session.query(
          """
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event = 'advisory' AND query LIKE \(Self.pages)
          """
        )
        #expect(rows.count == 1)
      }
      #expect(try await client.message(as: .json).resultSeqs == [2, 3])
      #expect(try await client.message(as: .json).unreadCount == 3)
    }
  }

  @Test func `a seq that comes after the handshake still shows what is missing later`() async throws {
    try await TestMethods.run(adjust: {
      $0.limits.seqTimeout = .milliseconds(500)
      $0.threads = 1
    }) { test in
      let anna = UserID.random()
      try await test.store(3, for: anna)
      let client = try await test.hub.open()
      try await whileReading(test, Self.seqs) {
        #expect(try await client.upgrade("/hubs/notifications", token: TestHub.token(anna)).status == 101)
        try await client.sendFrame(TestHub.handshake)
      } then: { _ in
        let answer = try await client.message()
        #expect(answer == "{}")
      }
      // They are read one after the other, so that of the first has come now.
      _ = try await test.hub.connect(.random())
      let lost = try await insert(for: anna, into: "inbox") { try await test.database.query($0) }
      guard case .notification(_, seq: 4, _)? = lost.events.first?.kind else {
        throw TestConnection.Unexpected(what: "a seq")
      }
      try await test.hub.server.deliver([insert(for: anna, into: "inbox") { try await test.database.query($0) }])
      #expect(try await client.nextMessage().seq == 4)
      #expect(try await client.nextMessage().seq == 5)
    }
  }

  @Test func `a database that fails answers an error, and the hub goes on`() async throws {
    try await TestMethods.run { test in
      let anna = UserID.random()
      let client = try await test.hub.connect(anna)
      try await test.database.withConnection { try await $0.script("ALTER TABLE inbox RENAME TO gone") }
      let failed = "An unexpected error occurred invoking 'Resume' on the server."
      try await client.send(.resume("r", after: 0))
      #expect(try await client.message(as: .json) == .completion(id: "r", .error(failed)))
      try await client.send(.invocation(id: "m", target: "MarkAllAsRead", arguments: []))
      guard case .completion("m", .error(let text)) = try await client.message(as: .json) else {
        throw TestConnection.Unexpected(what: "no error")
      }
      #expect(text == "An unexpected error occurred invoking 'MarkAllAsRead' on the server.")
      try await test.hub.server.deliver([TestHub.unread(anna, 7)])
      #expect(try await client.message() == TestHub.unreadMessage(7))
      #expect(test.hub.server.statistics[.callFailed] == 2)
      // What was held back, or is missing before a new one, cannot be read: the client has to come again.
      try await test.hub.server.deliver([TestHub.notification(anna, seq: 5)])
      #expect(try await client.message() == #"{"type":7,"allowReconnect":true}"#)
    }
  }

  @Test func `connections begin without the database, too`() async throws {
    try await TestMethods.run { test in
      let anna = UserID.random()
      try await test.database.withConnection { try await $0.script("ALTER TABLE inbox RENAME TO gone") }
      let client = try await test.hub.connect(anna)
      try await test.hub.server.deliver([TestHub.notification(anna, seq: 5)])
      let message = try await client.nextMessage()
      #expect(message.seq == 5, "\(message)")
    }
  }
}
