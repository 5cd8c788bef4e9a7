import Foundation
import NotificationModel
import Postgres
import TestSupport
import Testing

@testable import NotificationStore

/// What becomes of schedules and waiting sends that name a user who is erased.
@Suite struct ErasureScheduleTests {
  @Test func `schedules go on without an erased user, and one that names nobody else ends`() async throws {
    try await TestDatabase.with { client in
      let (ann, ben) = (Sample.user(), Sample.user())
      let schedules = ScheduleStore(client: client)
      try await EveryTable.schedule(key: "alone", users: [ann], client)
      try await EveryTable.schedule(key: "both", users: [ben, ann], client)
      try await EveryTable.schedule(key: "except", users: [ben], except: [ann], client)
      try await EveryTable.schedule(key: "other", users: [ben], client)
      let counts = try await ErasureStore(client: client).erase(ann, by: nil)
      #expect(counts.deleted["schedules"] == 1 && counts.schedulesRewritten == 2)
      #expect(try await schedules.entry("alone", of: "shop") == nil)
      for (key, version) in [("both", 2), ("except", 2), ("other", 1)] {
        let entry = try #require(try await schedules.entry(key, of: "shop"))
        #expect(
          entry.definition == #"{"to":{"users":["\#(ben)"],"except":[]},"type":10,"data":{"b":"2","a":"1"}}"#,
          "\(key)"
        )
        #expect(entry.version.number == version, "\(key)")
      }
    }
  }

  @Test func `of many schedules some are read at a time, and none is passed over`() async throws {
    try await TestDatabase.with { client in
      let (ann, ben) = (Sample.user(), Sample.user())
      let count = ErasureStore.schedulesAtOnce * 2 + 3
      // In the order of their ids, whatever comes first: of each page some stay, some end, and some are not touched.
      for number in 0..<count {
        switch number % 3 {
        case 0: try await EveryTable.schedule(key: "\(number)", users: [ann, ben], client)
        case 1: try await EveryTable.schedule(key: "\(number)", users: [ann], client)
        default:
          try await EveryTable.schedule(
            key: "\(number)",
            definition: #"{"to":{"users":["\#(ben)"]},"type":10,"data":{"about":"\#(ann)"}}"#,
            client
          )
        }
      }
      #expect(
        try await client.query(ErasureStore.schedules(naming: ann, after: nil)).count == ErasureStore.schedulesAtOnce
      )
      let counts = try await ErasureStore(client: client).erase(ann, by: nil)
      let ended = (0..<count).count { $0 % 3 == 1 }
      #expect(counts.deleted["schedules"] == ended)
      #expect(counts.schedulesRewritten == (0..<count).count { $0 % 3 == 0 })
      let left: [String] = try await client.column("SELECT definition FROM schedules")
      #expect(left.count == count - ended)
      #expect(left.filter { $0.contains(ann.description) }.allSatisfy { $0.contains("about") })
    }
  }

  /// Ways in which JSON may have the characters of an id.
  enum Escaping: CaseIterable, Sendable {
    case first, all, capitals, hyphens

    func callAsFunction(_ user: UserID) -> String {
      let id = user.description
      return switch self {
      case .first: Self.codes(id.prefix(1)) + id.dropFirst()
      case .all: Self.codes(id)
      case .capitals: Self.codes(id.uppercased(), isUppercase: true)
      case .hyphens: id.replacing("-", with: "\\u002D")
      }
    }

    private static func codes(_ text: some StringProtocol, isUppercase: Bool = false) -> String {
      text.utf8.map { "\\u00" + String($0, radix: 16, uppercase: isUppercase) }.joined()
    }
  }

  @Test(arguments: Escaping.allCases)
  func `a schedule that escapes whom it names is found`(_ escaped: Escaping) async throws {
    try await TestDatabase.with { client in
      let (ann, ben) = (Sample.user(), Sample.user())
      let alone = #"{"to":{"users":["\#(escaped(ann))"]},"type":10,"title":"caf\u00e9 \\u0041"}"#
      try await EveryTable.schedule(key: "alone", definition: alone, client)
      let both = #"{"to":{"users":["\#(ben)","\#(escaped(ann))"]},"type":10}"#
      try await EveryTable.schedule(key: "both", definition: both, client)
      #expect(try await EveryTable.rows(of: ann, in: "schedule_users", client) == 2)
      #expect(try await EveryTable.rows(of: ben, in: "schedule_users", client) == 1)
      _ = try await ErasureStore(client: client).erase(ann, by: nil)
      let schedules = ScheduleStore(client: client)
      #expect(try await schedules.entry("alone", of: "shop") == nil)
      let left = try #require(try await schedules.entry("both", of: "shop"))
      #expect(left.definition == #"{"to":{"users":["\#(ben)"]},"type":10}"#)
      #expect(try await EveryTable.rows(of: ann, in: "schedule_users", client) == 0)
    }
  }
}
