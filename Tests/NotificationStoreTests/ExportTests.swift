import Foundation
import BelfryJSON
import NotificationModel
import Postgres
import TestSupport
import Testing

@testable import NotificationStore

/// What is exported of a user, and that nothing is passed over.
@Suite struct ExportTests {
  /// A row of the user in every table that has users, and in the audit log.
  private static func fill(_ user: UserID, _ client: PostgresClient) async throws {
    try await EveryTable.fill(user, client)
    _ = try await client.query("INSERT INTO erased_users VALUES (\(user), now() - interval '1 day')")
    try await AuditStore(client: client).write(actor: "ops", action: "user.export", subject: user.description)
  }

  @Test func `every table with users has a part, which has every column or says which it leaves out`() async throws {
    try await TestDatabase.with { client in
      let ann = Sample.user()
      try await Self.fill(ann, client)
      let tables = try await EveryTable.names(client)
      // What the user is called is the export's own `userId`.
      let exported = Set(ExportStore.parts.map(\.table) + ["user_identifiers"])
      #expect(Set(tables + ["audit"]) == exported, "a table with users that nobody exports")
      #expect(Set(ExportStore.parts.map(\.name)).count == ExportStore.parts.count)
      for part in ExportStore.parts {
        let rows = try await client.query(try part.page(ann, nil, part.perPage))
        #expect(rows.count == 1, "\(part.table) is not filled, or not read")
        let columns: [String] = try await client.column(
          """
          SELECT column_name::text FROM information_schema.columns
          WHERE table_schema = current_schema() AND table_name = \(part.table) AND column_name <> 'user_id'
          """
        )
        #expect(part.leftOut.isDisjoint(with: rows.columnNames), "\(part.table)")
        #expect(part.leftOut.isSubset(of: columns), "\(part.table) has no such column any more")
        #expect(
          Set(columns).subtracting(rows.columnNames) == part.leftOut,
          "\(part.table) has a column that is neither exported nor left out"
        )
      }
    }
  }

  @Test func `an export is an object with a member for each part, and the last says that it is complete`() async throws
  {
    try await TestDatabase.with { client in
      let (ann, ben) = (Sample.user(), Sample.user())
      for user in [ann, ben] { try await Self.fill(user, client) }
      let export = try await ExportedUser(ann, client)
      let names = try #require(export.json.members).map(\.name)
      #expect(names == ["userId", "exportedAt"] + ExportStore.parts.map(\.name) + ["isComplete"])
      #expect(export.json["userId"]?.string == ann.description)
      #expect(export.json["isComplete"]?.boolean == true)
      for part in ExportStore.parts {
        let member = try #require(export.json[part.name])
        #expect(part.isSingle ? member.members != nil : member.array?.count == 1, "\(part.name)")
      }
      #expect(!export.text.contains(ben.description))
      #expect(export.json["profile"]?["email"]?.string == "sam@example.org")
      let notification = try #require(export["notifications"].first)
      #expect(notification["typeName"]?.string == "AllowanceDeposit")
      #expect(notification["data"]?["amount"]?.string == "$10.00")
      let decisions = try #require(notification["channels"]?.array)
      #expect(decisions.compactMap { $0["decision"]?.string } == ["deliver", "deliver", "skip"])
      #expect(export["deliveries"].first?["outcome"]?.string == "delivered")
      #expect(export["preferences"].first?["chosen"]?.array?.count == 3)
    }
  }

  @Test func `of whom nothing is kept nothing is exported`() async throws {
    try await TestDatabase.with { client in
      let export = try await ExportedUser(Sample.user(), client)
      for part in ExportStore.parts {
        #expect(export.text.contains(#""\#(part.name)":\#(part.isSingle ? "null" : "[]")"#), "\(part.name)")
      }
      #expect(export.text.hasSuffix(#","isComplete":true}"#))
    }
  }

  @Test func `tokens are in it, the secrets of subscriptions are not`() async throws {
    try await TestDatabase.with { client in
      let ann = Sample.user()
      let devices = DeviceStore(client: client)
      let endpoint = "https://push.example.org/send/a-path-of-its-own"
      let keys = SubscriptionKeys(p256dh: "the-key-of-the-browser", auth: "the-secret-of-the-browser")
      let tokens = ["a-token", "another-token"]
      for token in tokens { _ = try await devices.register(.sample(token), of: ann) }
      _ = try await devices.register(.init(token: endpoint, platform: .webPush, keys: keys), of: ann)
      let export = try await ExportedUser(ann, client)
      let exported = Set(export["devices"].compactMap { $0["token"]?.string })
      #expect(exported == Set(tokens + [endpoint]))
      for secret in [keys.p256dh, keys.auth] {
        #expect(!export.text.contains(secret))
      }
    }
  }

  @Test func `a schedule is exported with its texts to those whom it notifies, and names nobody else`() async throws {
    try await TestDatabase.with { client in
      let (ann, ben) = (Sample.user(), Sample.user())
      func schedule(_ key: String, _ to: String, title: String) async throws {
        let definition = #"{"to":{\#(to)},"type":10,"title":"\#(title)"}"#
        try await EveryTable.schedule(key: key, definition: definition, client)
      }
      try await schedule("a", #""users":["\#(ben)","\#(ann)"]"#, title: "For both")
      try await schedule("b", #""users":["\#(ben)"],"except":["\#(ann)"]"#, title: "A surprise")
      try await schedule("c", #""group":"family","except":[],"except":["\#(ann)"]"#, title: "Another")
      try await schedule("d", #""users":["\#(ben)"]"#, title: "About\",\"relatedEntityId\":\"\(ann)")
      let export = try await ExportedUser(ann, client)
      let schedules = export["schedules"].sorted { ($0["role"]?.string ?? "") < ($1["role"]?.string ?? "") }
      #expect(schedules.compactMap { $0["role"]?.string } == ["leftOut", "leftOut", "mentioned", "told"])
      #expect(schedules.last?["definition"]?["title"]?.string == "For both")
      #expect(schedules.last?["key"]?.string == "a")
      #expect(schedules.dropLast().allSatisfy { $0["definition"] == nil && $0["key"] == nil })
      #expect(!export.text.contains(ben.description) && !export.text.contains("surprise"))
    }
  }

  // MARK: While it is written

  /// So many that they come in several pages.
  private static func store(_ count: Int, of user: UserID, _ client: PostgresClient) async throws {
    let (notifications, contents) = try Sample.history(count, of: user)
    _ = try await NotificationStore(client: client).store(notifications, contents: contents)
  }

  @Test func `what has more rows than a page comes whole, in pieces of a bounded size`() async throws {
    try await TestDatabase.with { client in
      let ann = Sample.user()
      try await Self.store(1_203, of: ann, client)
      var sizes: [Int] = []
      var bytes: [UInt8] = []
      try await ExportedUser.write(ann, client) { piece in
        sizes.append(piece.count)
        bytes += piece
      }
      #expect(sizes.count > 5)
      // A piece, and a row that came last.
      #expect(sizes.allSatisfy { $0 < 40_000 }, "\(sizes)")
      let export = try JSONParser.parse(bytes)
      let exported = try #require(export["notifications"]?.array).compactMap { $0["id"]?.string }
      let stored: [UUID] = try await client.column("SELECT id FROM notifications WHERE user_id = \(ann) ORDER BY id")
      #expect(exported == stored.map(\.lowercased))
      #expect(export["isComplete"]?.boolean == true)
    }
  }

  @Test func `who is erased while the export is written gets no more than was read before`() async throws {
    try await TestDatabase.with { client in
      let ann = Sample.user()
      try await Self.store(1_203, of: ann, client)
      var isErased = false
      let export = try await ExportedUser(ann, client) {
        guard !isErased else { return }
        isErased = true
        _ = try await ErasureStore(client: client).erase(ann, by: nil)
      }
      #expect(export["notifications"].count == ExportPart.notifications.perPage)
      #expect(export["deliveries"].isEmpty && export["erasures"].count == 1)
      #expect(export.json["isComplete"]?.boolean == true)
    }
  }

  @Test func `what fails in the middle has no end`() async throws {
    try await TestDatabase.with { client in
      let ann = Sample.user()
      try await Self.store(200, of: ann, client)
      var bytes: [UInt8] = []
      await #expect(throws: PostgresError.self) {
        try await ExportedUser.write(ann, client) { piece in
          if bytes.isEmpty { _ = try await client.query("DROP TABLE engagement") }
          bytes += piece
        }
      }
      #expect(!bytes.isEmpty)
      #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(bytes) }
      #expect(!String(decoding: bytes, as: UTF8.self).contains("isComplete"))
    }
  }
}
