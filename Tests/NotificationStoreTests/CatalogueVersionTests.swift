import Foundation
import BelfryJSON
import NotificationModel
import Postgres
import TestSupport
import Testing

@testable import NotificationStore

struct CatalogueVersionTests {
  private static let at = Date(timeIntervalSince1970: 1_800_000_000)

  @Test func `a version is read as it was applied, and the newest is in force`() async throws {
    try await TestDatabase.with { client in
      let store = CatalogueVersionStore(client: client)
      #expect(try await store.newest() == 0)
      #expect(try await store.version(1) == nil)
      #expect(try await store.versions(after: nil, limit: 10).isEmpty)
      let changes = [
        CatalogueChange(kind: .typeRemoved, name: "Dinner", text: "type 200 Dinner \"ä\"\nis gone"),
        CatalogueChange(kind: .ruleAdded, name: "low", text: ""),
      ]
      let text = "\u{FEFF}# a comment\r\ntypes: []\r\n\n  \n"
      let first = try await store.apply(
        text,
        changes: changes,
        by: "ann",
        expecting: 0,
        at: Self.at,
        requestID: "r-1"
      )
      #expect(first?.number == 1 && first?.text == text)
      #expect(try await store.version(1) == first)
      let second = try await store.apply("", changes: [], by: "ben", rollbackOf: 1, expecting: 1, at: Self.at + 1)
      #expect(second?.summary.rollbackOf == 1)
      #expect(try await store.newest() == 2)
      #expect(try await store.version(2) == second)
      #expect(try await store.version(1)?.summary.changes == changes)

      let audited = try await AuditStore(client: client).page(before: nil, limit: 9).entries
      #expect(audited.map(\.action) == ["catalogue.rollback", "catalogue.apply"])
      #expect(audited.map(\.subject) == ["2", "1"])
      #expect(audited.map(\.actor) == ["ben", "ann"])
      #expect(audited.last?.requestID == "r-1" && audited.last?.detail?["changes"]?.integer == 2)
      #expect(audited.first?.detail?["rollbackOf"]?.integer == 1)
    }
  }

  @Test func `of types that are gone it is known which had a code, the latest first`() async throws {
    try await TestDatabase.with { client in
      let store = CatalogueVersionStore(client: client)
      func gone(_ code: Int, _ name: String) -> CatalogueChange {
        CatalogueChange(
          kind: .typeRemoved,
          name: name,
          text: "Type \(code) \(name) is gone. What waits keeps its words."
        )
      }
      let history = [
        [gone(7, "OrderShipped"), gone(8, "OrderPaid")], [], [gone(7, "PaymentFailed"), gone(70, "Seventy")],
        [CatalogueChange(kind: .typeAdded, name: "Nine", text: "Type 9 Nine is new.")],
        [CatalogueChange(kind: .typeRemoved, name: "Odd", text: "It is gone.")],
      ]
      for (number, changes) in history.enumerated() {
        _ = try await store.apply("# \(number)", changes: changes, by: "ann", expecting: number, at: Self.at)
      }
      // What the first version took away was built in: nothing of it was ever sent.
      #expect(try await store.formerTypes(of: [7, 8]).map(\.name) == ["PaymentFailed"])
      _ = try await client.query(
        "INSERT INTO stats (day, type, channel, slot, sent) SELECT '2026-01-01', type, 1, 0, 1 FROM unnest(ARRAY[7, 8]) AS t (type)"
      )
      #expect(
        try await store.formerTypes(of: [7, 9]) == [
          .init(code: 7, name: "PaymentFailed", goneSince: 3), .init(code: 7, name: "OrderShipped", goneSince: 1),
        ]
      )
      #expect(try await store.formerTypes(of: [8]).map(\.name) == ["OrderPaid"])
      #expect(try await store.formerTypes(of: []).isEmpty)
    }
  }

  @Test func `of many who apply at once one is next, and nothing of the others is written down`() async throws {
    try await TestDatabase.with(connections: 8) { client in
      let store = CatalogueVersionStore(client: client)
      for round in 0..<5 {
        let applied = try await withThrowingTaskGroup(of: CatalogueVersion?.self) { group in
          for writer in 0..<8 {
            group.addTask {
              try await store.apply("# \(writer)", changes: [], by: "\(writer)", expecting: round, at: Self.at)
            }
          }
          return try await group.reduce(into: [CatalogueVersion]()) { if let version = $1 { $0.append(version) } }
        }
        let winner = try #require(applied.first)
        #expect(applied.count == 1)
        #expect(try await store.newest() == round + 1)
        #expect(try await store.version(round + 1) == winner)
        #expect(winner.text == "# \(winner.summary.appliedBy)")
      }
      #expect(try await AuditStore(client: client).page(before: nil, limit: 100).entries.count == 5)
    }
  }

  @Test(arguments: [0, 2, -1, 7])
  func `who knows another version than the newest applies nothing`(expecting: Int) async throws {
    try await TestDatabase.with { client in
      let store = CatalogueVersionStore(client: client)
      _ = try await store.apply("", changes: [], by: "ann", expecting: 0, at: Self.at)
      #expect(try await store.apply("", changes: [], by: "ben", expecting: expecting, at: Self.at) == nil)
      #expect(try await store.newest() == 1)
      #expect(try await AuditStore(client: client).page(before: nil, limit: 9).entries.count == 1)
    }
  }

  @Test func `pages go from the newest on, each version once`() async throws {
    try await TestDatabase.with { client in
      let store = CatalogueVersionStore(client: client)
      for number in 0..<7 {
        _ = try await store.apply("# \(number)", changes: [], by: "ann", expecting: number, at: Self.at)
      }
      var pages: [[Int]] = []
      var after: Int?
      while true {
        let page = try await store.versions(after: after, limit: 3).map(\.number)
        guard let last = page.last else { break }
        pages.append(page)
        after = last
      }
      #expect(pages == [[7, 6, 5], [4, 3, 2], [1]])
    }
  }

  @Test func `a text of the full size is kept to the byte`() async throws {
    try await TestDatabase.with { client in
      let store = CatalogueVersionStore(client: client)
      var random = SplitMix64(seed: 22)
      var text = ""
      while text.utf8.count < CatalogueVersionStore.maximumText - 4 {
        let scalar = Unicode.Scalar(UInt32.random(in: 1...0x1_FFFF, using: &random)) ?? "\u{FFFD}"
        text.unicodeScalars.append(scalar)
      }
      text += String(repeating: "\n", count: CatalogueVersionStore.maximumText - text.utf8.count)
      #expect(text.utf8.count == CatalogueVersionStore.maximumText)
      _ = try await store.apply(text, changes: [], by: "ann", expecting: 0, at: Self.at)
      let stored = try await store.version(1)?.text
      #expect(stored.map { Array($0.utf8) } == Array(text.utf8))
    }
  }

  @Test func `a change that jsonb would refuse, or that a later release made, does not hide the others`() async throws {
    try await TestDatabase.with { client in
      let store = CatalogueVersionStore(client: client)
      let change = CatalogueChange(kind: .typeAdded, name: "a\0b", text: "\0")
      _ = try await store.apply("", changes: [change], by: "ann", expecting: 0, at: Self.at)
      #expect(
        try await store.version(1)?.summary.changes
          == [CatalogueChange(kind: .typeAdded, name: "a\u{FFFD}b", text: "\u{FFFD}")]
      )
      _ = try await client.query(
        """
        UPDATE catalogue_versions SET changes = '[{"kind": "moonAdded", "name": "m", "text": "t"}]'
        """
      )
      #expect(
        try await store.version(1)?.summary.changes == [CatalogueChange(kind: .otherChanged, name: "m", text: "t")]
      )
    }
  }

  @Test func `versions are found by what they know, and by when they were in force`() async throws {
    try await TestDatabase.with { client in
      let store = CatalogueVersionStore(client: client)
      func apply(_ names: [String]?) async throws {
        let newest = try await store.newest()
        let at = Self.at + Double(newest)
        #expect(try await store.apply("", changes: [], names: names, by: "ann", expecting: newest, at: at) != nil)
      }
      for _ in 0..<3 { try await apply(["900", "tide"]) }
      for _ in 0..<3 { try await apply([]) }
      #expect(
        try await store.versions(knowing: ["900", "tide", "901"], before: 7, limit: 2)
          == ["900": [3, 2, 1], "tide": [3, 2, 1]]
      )
      #expect(try await store.versions(knowing: ["900"], before: 3, limit: 1) == ["900": [2, 1]])
      #expect(try await store.versions(knowing: ["900"], before: 2, limit: 9) == ["900": [1]])
      #expect(try await store.versions(knowing: [], before: 7, limit: 9).isEmpty)
      // Who put it there did not say what it knows.
      try await apply(nil)
      #expect(try await store.versions(knowing: ["901"], before: 8, limit: 9) == ["901": [7]])
      #expect(
        try await store.numbers(inForceAt: [Self.at + 2.5, Self.at - 1, Self.at, Self.at + 900]) == [3, 0, 1, 7]
      )
      #expect(try await store.numbers(inForceAt: []).isEmpty)
      let newest = try await store.newestIdentity()
      #expect(newest?.number == 7)
      #expect(try await store.version(7)?.identity == newest)
      #expect(try await store.identity(of: 7) == newest)
      #expect(try await store.identity(of: 8) == nil)
    }
  }

  /// At the first look after a version, on each router.
  @Test func `among thousands of versions those of a few names are found in a moment`() async throws {
    try await TestDatabase.with { client in
      _ = try await client.query(
        """
        INSERT INTO catalogue_versions (number, text, applied_at, applied_by, changes, names)
        SELECT n, 'types: []', now(), 'ann', '[]', (SELECT array_agg('type' || t) FROM generate_series(1, 500) AS t)
        FROM generate_series(1, 2000) AS n
        """
      )
      _ = try await client.query("UPDATE catalogue_versions SET names = names || '{tide}' WHERE number IN (5, 6)")
      let store = CatalogueVersionStore(client: client)
      #expect(try await store.versions(knowing: ["tide", "ebb"], before: 2_001, limit: 8) == ["tide": [6, 5]])
    }
  }

  @Test(arguments: [true, false])
  func `the newest number is one entry of the primary key`(isGeneric: Bool) async throws {
    try await TestDatabase.with { client in
      _ = try await client.query(
        """
        INSERT INTO catalogue_versions (number, text, applied_at, applied_by, changes)
        SELECT n, 'types: []', now(), 'ann', '[]' FROM generate_series(1, 10000) AS n
        """
      )
      _ = try await client.query("VACUUM ANALYZE catalogue_versions")
      for (query, types, arguments) in [
        (CatalogueVersionStore.newest, [], []), (CatalogueVersionStore.version(1), ["int8"], ["77"]),
      ] {
        let plan = try await QueryPlan.of(
          query,
          types: types,
          arguments: arguments,
          isGeneric: isGeneric,
          isRun: true,
          client
        )
        #expect(plan.reads(of: "catalogue_versions").map(\.index) == ["catalogue_versions_pkey"], "\(plan)")
        #expect(plan.reads(of: "catalogue_versions").map(\.rowsRead) == [1], "\(plan)")
      }
    }
  }
}
