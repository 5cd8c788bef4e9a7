import Foundation
import HTTPTypes
import NotificationModel
import NotificationQueue
import Postgres
import TestSupport
import Testing

@testable import Gateway

/// Opening notifications and using their buttons.
@Suite struct EngagementRouteTests {
  private let path = "/api/v1/notifications"

  /// Opened, and buttons used, by the statistics.
  private func counted(_ gateway: TestGateway) async throws -> [Int] {
    let row = try #require(
      try await gateway.database.query(
        "SELECT coalesce(sum(opened), 0)::int8, coalesce(sum(acted), 0)::int8 FROM stats WHERE channel = 0"
      ).first
    )
    return [try row.get(0), try row.get(1)]
  }

  @Test func `opening counts once, is seeing and not reading, and is published once`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      let id = try await gateway.store(2, for: ann.id)[0]
      for _ in 0..<2 {
        #expect(try await gateway.call(.post, "\(path)/\(id)/opened", as: ann).expect(.noContent).body.isEmpty)
      }
      let item = try await gateway.call(.get, "\(path)/\(id)", as: ann).expect(.ok).json()
      #expect(item["openedAt"] is String && item["seenAt"] is String)
      #expect(item["isRead"] as? Bool == false)
      #expect(
        try await gateway.call(.get, "\(path)/unread-count", as: ann).expect(.ok).text == #"{"count":2,"unseen":1}"#
      )
      #expect(try await counted(gateway) == [1, 0])
      #expect(try gateway.published().map(\.unread) == [2])
    }
  }

  @Test func `each button counts once, one that there is not is not found`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      let type = try #require(try TestGateway.catalogue.get().types.first { $0.actions.count > 0 })
      let id = try await gateway.store(1, for: ann.id, type: type.code)[0]
      for action in type.actions {
        for _ in 0..<2 {
          try await _ = gateway.call(.post, "\(path)/\(id)/actions/\(action.id)", as: ann).expect(.noContent)
        }
      }
      #expect(try await counted(gateway) == [0, type.actions.count])
      try await gateway.call(.post, "\(path)/\(id)/actions/NOTHING", as: ann).expectProblem("not-found", .notFound)
      let item = try await gateway.call(.get, "\(path)/\(id)", as: ann).expect(.ok).json()
      #expect(item["seenAt"] is String)
      #expect(item["openedAt"] is NSNull)
    }
  }

  @Test func `of a type that is gone whatever could be a button's id counts, and nothing that could not`() async throws
  {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      let id = try await gateway.store(1, for: ann.id)[0]
      _ = try await gateway.database.query("UPDATE notifications SET type = 32000 WHERE id = \(id)")
      try await _ = gateway.call(.post, "\(path)/\(id)/actions/GO", as: ann).expect(.noContent)
      for action in ["%28opened%29", "a%20b", "%C3%A4", String(repeating: "a", count: 65)] {
        try await gateway.call(.post, "\(path)/\(id)/actions/\(action)", as: ann).expectProblem("not-found", .notFound)
      }
      #expect(try await counted(gateway) == [0, 1])
      try await _ = gateway.call(.post, "\(path)/\(id)/opened", as: ann).expect(.noContent)
      #expect(try await counted(gateway) == [1, 1])
    }
  }

  @Test func `archived ones count, deleted and foreign ones are not found`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      let ids = try await gateway.store(2, for: ann.id)
      try await _ = gateway.call(.patch, "\(path)/\(ids[0])/archive", as: ann).expect(.ok)
      try await _ = gateway.call(.post, "\(path)/\(ids[0])/opened", as: ann).expect(.noContent)
      try await _ = gateway.call(.delete, "\(path)/\(ids[1])", as: ann).expect(.noContent)
      try await gateway.call(.post, "\(path)/\(ids[1])/opened", as: ann).expectProblem("not-found", .notFound)
      try await gateway.call(.post, "\(path)/\(ids[0])/opened", as: .user()).expectProblem("not-found", .notFound)
      #expect(try await counted(gateway) == [1, 0])
    }
  }
}
