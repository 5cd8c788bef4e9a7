import Foundation
import BelfryJSON
import NotificationModel
import Postgres
import TestSupport
import Testing

@testable import NotificationStore

/// Addresses that get no mail.
@Suite struct SuppressionTests {
  private typealias Kind = SuppressionEvidence.Kind

  private static let now = Date(timeIntervalSince1970: 1_764_000_000)
  private static let day: TimeInterval = 86_400

  private static func evidence(
    _ address: String,
    _ kind: Kind,
    at: Date = now,
    source: String = "smtp",
    _ diagnostic: String? = nil,
    of notification: NewNotification? = nil
  ) -> SuppressionEvidence {
    SuppressionEvidence(
      address: address,
      kind: kind,
      source: source,
      diagnostic: diagnostic,
      at: at,
      deliveryOf: notification.map { ($0.userID, $0.id) }
    )
  }

  /// Address, reason, in order.
  private static func all(_ store: SuppressionStore) async throws -> [String] {
    try await store.list(limit: 100).suppressions.map { "\($0.address) \($0.reason.name)" }.sorted()
  }

  @Test func `a refusal for good suppresses the address, once, since the first and in the words of the last`()
    async throws
  {
    try await TestDatabase.with { client in
      let store = SuppressionStore(client: client)
      let user = Sample.user()
      let notification = Sample.notification(user)
      try await store.record([Self.evidence("ann@EXAMPLE.org", .permanent("5.1.1"), "550 5.1.1", of: notification)])
      let first = try #require(try await store.list(limit: 9).suppressions.first)
      let expected = Suppression(
        address: "ann@example.org",
        reason: .hardBounce,
        since: Self.now,
        source: "smtp",
        diagnostic: "550 5.1.1",
        lastAt: Self.now,
        user: user
      )
      #expect(first == expected)
      // The last by its time, in whatever order they come; who says nothing leaves the words.
      for (at, source, diagnostic) in [
        (Self.now + 60, "dsn", "unknown user"), (Self.now + 30, "ses", "earlier"), (Self.now + 90, "ses", nil),
        (Self.now - 60, "smtp", "the first"),
      ] as [(Date, String, String?)] {
        try await store.record([
          Self.evidence("ann@example.org", .permanent("5.1.1"), at: at, source: source, diagnostic)
        ])
      }
      let list = try await store.list(limit: 9).suppressions
      #expect(list.count == 1)
      var last = expected
      (last.since, last.lastAt, last.source, last.diagnostic) =
        (Self.now - 60, Self.now + 90, "ses", "unknown user")
      #expect(list.first == last)
    }
  }

  @Test func `of what is said together each address is written once, and what is no address is passed over`()
    async throws
  {
    try await TestDatabase.with { client in
      let store = SuppressionStore(client: client)
      try await store.record([])
      try await store.record([
        Self.evidence("ann@example.org", .permanent("5.1.1"), at: Self.now + 5, "second"),
        Self.evidence("ann@example.ORG", .permanent("5.1.2"), at: Self.now, "first"),
        Self.evidence("ann@example.org", .complaint), Self.evidence("ben@example.org", .complaint),
        Self.evidence("cat@example.org", .permanent("5.7.1")), Self.evidence("dan@example.org", .soft("4.2.2")),
        Self.evidence("Ann@example.org", .manual), Self.evidence("no address", .permanent("5.1.1")),
        Self.evidence("mi\u{E9}@example.org", .complaint), Self.evidence("a@b\u{0}", .permanent("5.1.1")),
      ])
      #expect(
        try await Self.all(store)
          == [
            "Ann@example.org manual", "ann@example.org complaint", "ann@example.org hardBounce",
            "ben@example.org complaint",
          ].sorted()
      )
      let ann = try await store.list(address: "ann@Example.org", reason: .hardBounce, limit: 9).suppressions
      #expect(ann.map(\.since) == [Self.now] && ann.map(\.diagnostic) == ["second"])
    }
  }

  @Test func `words of strangers are of one line and bounded, and no time is in the future`() async throws {
    try await TestDatabase.with { client in
      let store = SuppressionStore(client: client)
      let words = "550\u{0} unknown\r\n\u{1B}[31muser " + String(repeating: "x", count: 100_000)
      let source = String(repeating: "s", count: 1_000)
      try await store.record([
        Self.evidence("ann@example.org", .permanent("5.1.1"), at: .distantFuture, source: source, words)
      ])
      let ann = try #require(try await store.list(limit: 9).suppressions.first)
      #expect(ann.diagnostic?.hasPrefix("550  unknown   [31muser xxx") == true && ann.diagnostic?.count == 500)
      #expect(ann.source.count == 100)
      #expect(abs(ann.since.timeIntervalSinceNow) < 60)
    }
  }

  @Test(arguments: ["5.2.1", "5.2.2"])
  func `a mailbox that is disabled or full is suppressed when another mail is refused within a week`(_ code: String)
    async throws
  {
    try await TestDatabase.with { client in
      let store = SuppressionStore(client: client)
      let user = Sample.user()
      let mails = (0..<3).map { _ in Sample.notification(user) }
      func refuse(_ mail: NewNotification, at: Date, address: String = "ann@example.org") async throws {
        try await store.record([Self.evidence(address, .soft(code), at: at, code, of: mail)])
      }
      try await refuse(mails[0], at: Self.now)
      // The same mail, reported again and by a bounce, is one.
      try await refuse(mails[0], at: Self.now + 60)
      try await store.record([Self.evidence("ann@example.org", .permanent(code), source: "dsn", of: mails[0])])
      #expect(try await Self.all(store).isEmpty)
      try await refuse(mails[1], at: Self.now + 7 * Self.day + 1)
      #expect(try await Self.all(store).isEmpty, "more than a week later")
      // Another's address is another's.
      try await refuse(mails[2], at: Self.now, address: "Ann@example.org")
      #expect(try await Self.all(store).isEmpty)
      try await refuse(mails[2], at: Self.now + 7 * Self.day)
      let ann = try #require(try await store.list(limit: 9).suppressions.first)
      #expect(ann.address == "ann@example.org" && ann.reason == .hardBounce && ann.diagnostic == code)
      #expect(ann.since == Self.now + 7 * Self.day && ann.user == user)
    }
  }

  @Test func `what comes late counts as well as what comes in time, and what names no mail by when it was`()
    async throws
  {
    try await TestDatabase.with { client in
      let store = SuppressionStore(client: client)
      for (address, first, second, isSuppressed) in [
        ("a@example.org", 0, 6, true), ("b@example.org", 6, 0, true), ("c@example.org", 0, 0, false),
        ("d@example.org", 0, 8, false), ("e@example.org", 8, 0, false),
      ] {
        for days in [first, second] {
          try await store.record([
            Self.evidence(address, .soft("5.2.2"), at: Self.now + Double(days) * Self.day, source: "ses")
          ])
        }
        #expect(
          try await store.list(address: address, limit: 9).suppressions.count == (isSuppressed ? 1 : 0),
          "\(address)"
        )
      }
      // Both at once.
      let both = [0.0, 60].map { Self.evidence("f@example.org", .soft("5.2.1"), at: Self.now + $0) }
      try await store.record(both)
      #expect(try await store.list(address: "f@example.org", limit: 9).suppressions.count == 1)
    }
  }

  @Test func `of two that are refused at the same moment one sees the other`() async throws {
    try await TestDatabase.with(connections: 8) { client in
      let store = SuppressionStore(client: client)
      let addresses = (0..<40).map { "user\($0)@example.org" }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for address in addresses {
          for _ in 0..<2 {
            let mail = Sample.notification(Sample.user())
            group.addTask { try await store.record([Self.evidence(address, .soft("5.2.1"), of: mail)]) }
          }
        }
        try await group.waitForAll()
      }
      #expect(try await store.list(limit: 100).suppressions.count == addresses.count)
    }
  }

  @Test func `a recipient brings why its address is suppressed, and since when`() async throws {
    try await TestDatabase.with { client in
      let store = SuppressionStore(client: client)
      let user = Sample.user()
      let key = try Sample.key(user)
      func suppression() async throws -> AddressSuppression? {
        let found = try await RecipientStore(client: client).recipients(for: [key])[key]?.emailSuppression
        #expect(try await store.suppression(of: user) == found)
        return found
      }
      #expect(try await suppression() == nil)
      _ = try await UserStore(client: client).put(.sample(email: "Ann@Example.ORG"), of: user)
      try await store.record([Self.evidence("ann@example.org", .permanent("5.1.1"))])
      #expect(try await suppression() == nil, "the local part is as it is")
      try await store.record([Self.evidence("Ann@example.org", .complaint, at: Self.now + 1)])
      #expect(try await suppression() == AddressSuppression(.complaint, since: Self.now + 1))
      // What stops everything is told before what stops some.
      try await store.record([Self.evidence("Ann@example.org", .permanent("5.1.1"), at: Self.now + 2)])
      #expect(try await suppression() == AddressSuppression(.hardBounce, since: Self.now + 2))
      #expect(try await store.remove("Ann@EXAMPLE.org"))
      #expect(try await suppression() == nil)
    }
  }

  @Test func `an address that is let go starts afresh, and only what is there can be`() async throws {
    try await TestDatabase.with { client in
      let store = SuppressionStore(client: client)
      let audit = AuditStore(client: client)
      for seconds in [0.0, 60] {
        try await store.record([Self.evidence("ann@example.org", .soft("5.2.1"), at: Self.now + seconds)])
      }
      try await store.record([
        Self.evidence("ann@example.org", .complaint), Self.evidence("ben@example.org", .complaint),
      ])
      #expect(try await store.remove("ann@Example.org", by: "ops", requestID: "r-1"))
      #expect(try await Self.all(store) == ["ben@example.org complaint"])
      #expect(try await !store.remove("ann@example.org", by: "ops"))
      try await store.record([Self.evidence("ann@example.org", .soft("5.2.1"), at: Self.now + 120)])
      #expect(try await Self.all(store) == ["ben@example.org complaint"])
      let lines = try await audit.page(before: nil, limit: 9).entries
      #expect(lines.map(\.action) == ["suppression.remove"] && lines.map(\.subject) == ["ann@example.org"])
      #expect(lines.first?.requestID == "r-1")
      #expect(lines.first?.detail?["reasons"]?.array?.compactMap(\.string) == ["hardBounce", "complaint"])
    }
  }

  @Test func `what an operator adds is added once, beside what else there is, and noted`() async throws {
    try await TestDatabase.with { client in
      let store = SuppressionStore(client: client)
      try await store.record([Self.evidence("ann@example.org", .complaint)])
      let first = try await store.add("ann@EXAMPLE.org", at: Self.now, by: "ops", requestID: "r-1")
      #expect(first.isNew && first.suppression.reason == .manual && first.suppression.source == "admin")
      let second = try await store.add("ann@example.org", at: Self.now + 60, by: "ben")
      #expect(!second.isNew && second.suppression == first.suppression)
      #expect(try await Self.all(store) == ["ann@example.org complaint", "ann@example.org manual"])
      let lines = try await AuditStore(client: client).page(before: nil, limit: 9).entries
      #expect(lines.map { "\($0.actor) \($0.action) \($0.subject ?? "")" } == ["ops suppression.add ann@example.org"])
    }
  }

  @Test func `the list comes in pages, the newest first, by reason and address`() async throws {
    try await TestDatabase.with { client in
      let store = SuppressionStore(client: client)
      // Some of the same moment.
      let evidence = (0..<25).map { number in
        Self.evidence(
          "user\(number)@example.org",
          number.isMultiple(of: 3) ? .complaint : .permanent("5.1.1"),
          at: Self.now + Double(number / 4)
        )
      }
      try await store.record(evidence)
      for reason in [nil, SuppressionReason.complaint, .hardBounce, .manual] {
        let expected = try await store.list(reason: reason, limit: 100)
        let count = evidence.count { reason == nil || $0.kind.effect == reason.map(SuppressionEffect.suppresses) }
        #expect(expected.suppressions.count == count && !expected.hasMore)
        #expect(zip(expected.suppressions, expected.suppressions.dropFirst()).allSatisfy { $0.since >= $1.since })
        var found: [Suppression] = []
        var cursor: Suppression.Cursor?
        while true {
          let page = try await store.list(reason: reason, after: cursor, limit: 4)
          found += page.suppressions
          cursor = page.suppressions.last?.cursor
          guard page.hasMore else { break }
        }
        #expect(found == expected.suppressions)
      }
    }
  }

  @Test func `refusals that nothing followed go after a week, suppressions stay`() async throws {
    try await TestDatabase.with { client in
      let store = SuppressionStore(client: client)
      let old = Date.now - 9 * Self.day
      try await store.record([
        Self.evidence("a@example.org", .soft("5.2.2"), at: old),
        Self.evidence("b@example.org", .soft("5.2.2"), at: .now),
        Self.evidence("c@example.org", .permanent("5.1.1"), at: old),
      ])
      let week: Duration = .seconds(7 * 86_400)
      _ = try await MaintenanceStore(client: client).run(retention: week, keyLifetime: week, staleDevice: week)
      #expect(try await client.column("SELECT address FROM soft_bounces", as: String.self) == ["b@example.org"])
      #expect(try await Self.all(store) == ["c@example.org hardBounce"])
    }
  }

  @Test func `an export has the suppressions of the address, and of those to which the user's mails went`() async throws
  {
    try await TestDatabase.with { client in
      let store = SuppressionStore(client: client)
      let (ann, ben) = (Sample.user(), Sample.user())
      _ = try await UserStore(client: client).put(.sample(email: "ann@example.org"), of: ann)
      let before = try await ExportedUser(ann, client)
      #expect(before.json["profile"]?["emailStatus"]?.integer == 0 && before["suppressions"].isEmpty)
      try await store.record([
        Self.evidence("ann@EXAMPLE.org", .complaint, source: "postmark", "spam"),
        Self.evidence("former@example.org", .permanent("5.1.1"), of: Sample.notification(ann)),
        Self.evidence("ben@example.org", .permanent("5.1.1"), of: Sample.notification(ben)),
        Self.evidence("ann@example.org", .soft("5.2.2"), of: Sample.notification(ben)),
      ])
      var export = try await ExportedUser(ann, client)
      let exported = export["suppressions"].map { "\($0["address"]?.string ?? "") \($0["reason"]?.string ?? "")" }
      #expect(exported == ["ann@example.org complaint", "former@example.org hardBounce"])
      #expect(export["suppressions"].first?["source"]?.string == "postmark")
      #expect(export["suppressions"].first?["diagnostic"]?.string == "spam")
      #expect(export["softBounces"].compactMap { $0["code"]?.string } == ["5.2.2"])
      #expect(!export.text.contains("ben@example.org") && !export.text.contains(ben.description))
      // A complaint leaves the address in use.
      #expect(export.json["profile"]?["emailStatus"]?.integer == 0)
      try await store.record([Self.evidence("ann@example.org", .manual)])
      export = try await ExportedUser(ann, client)
      #expect(export.json["profile"]?["emailStatus"]?.integer == 1)
    }
  }
}
