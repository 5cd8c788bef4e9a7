import Foundation
import TestSupport
import Testing

extension EndToEndTests {
  /// The inbox over REST, which says the same as the hub and notifies the hub's clients.
  @Suite(.serialized, .timeLimit(.minutes(4))) struct InboxMethodTests {
    private static let changes = "/api/v1/notifications/changes"

    @Test func `changes over REST page as Resume gives them`() async throws {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser(platforms: [])
        try await belfry.send(120, to: ann)
        try await eventually("all are stored") { try await belfry.inbox(of: ann).count == 120 }
        let hub = try await HubClient.connect(.pysignalr, to: belfry, as: ann)
        let resumed = try await hub.stream("Resume", [7])
        #expect(resumed.seqs == Array(8...120))

        var paged: [[String: Any]] = []
        var sizes: [Int] = []
        var hasMore = true
        while hasMore && sizes.count < 10 {
          let since = paged.last?["seq"] as? Int ?? 7
          let page = try await belfry.call("GET", "\(Self.changes)?since=\(since)", token: ann.token).expect(200)
          let items = try page.list("notifications")
          #expect(page.json["seq"] as? Int == 120)
          #expect(page.json["unreadCount"] as? Int == 120)
          hasMore = try #require(page.json["hasMore"] as? Bool)
          sizes.append(items.count)
          paged += items
        }
        #expect(sizes == [50, 50, 13])
        #expect(paged.map { $0["id"] as? String } == resumed.items.map { $0["id"] as? String })
        #expect(paged.map { $0["seq"] as? Int } == resumed.items.map { $0["seq"] as? Int })
        let names = Set(paged.flatMap(\.keys))
        #expect(names == Set(resumed.items.flatMap(\.keys)))

        let none = try await belfry.call("GET", "\(Self.changes)?since=120", token: ann.token).expect(200)
        #expect(try none.list("notifications").isEmpty)
        #expect(none.json["hasMore"] as? Bool == false)
        for (query, field) in [
          ("", "since"), ("?limit=10", "since"), ("?since=", "since"), ("?since=x", "since"), ("?since=-1", "since"),
          ("?since=0&limit=101", "limit"), ("?since=0&limit=0", "limit"),
        ] {
          let answer = try await belfry.call("GET", Self.changes + query, token: ann.token)
          #expect(answer.status == 400, "\(query): \(answer.text)")
          #expect(answer.problemFields == [field], "\(query): \(answer.text)")
        }
      }
    }

    @Test func `marking as read notifies the user's clients on all nodes, beyond 100 only the count`() async throws {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser(platforms: [])
        var hubs: [HubClient] = []
        for node in 0..<2 {
          hubs.append(try await HubClient.connect(.pysignalr, to: belfry, as: ann, options: .init(node: node)))
        }
        try await belfry.send(120, to: ann)
        try await eventually("all arrived") {
          try hubs.allSatisfy { try $0.notifications().count == 120 && $0.unreadCount() == 120 }
        }
        #expect(try await hubs[0].invoke("MarkAllAsRead").error == nil)
        try await eventually("the count is published") { try hubs.allSatisfy { try $0.unreadCount() == 0 } }
        #expect(try hubs.allSatisfy { try $0.readIDs().isEmpty })

        try await belfry.send(5, to: ann)
        try await eventually("five more arrived") { try hubs.allSatisfy { try $0.unreadCount() == 5 } }
        let news = try hubs[0].notifications().suffix(5).compactMap { $0["id"] as? String }
        let some = news.prefix(2).map { #""\#($0)""# }.joined(separator: ",")
        #expect(try await markRead(#"{"notificationIds":[\#(some)]}"#, ann, belfry) == 2)
        try await eventually("two are published") {
          try hubs.allSatisfy { try Set($0.readIDs()) == Set(news.prefix(2)) && $0.unreadCount() == 3 }
        }
        #expect(try await markRead(#"{"notificationIds":[\#(some)]}"#, ann, belfry) == 0)
        #expect(try await markRead(nil, ann, belfry) == 3)
        try await eventually("the others are published") {
          try hubs.allSatisfy { try Set($0.readIDs()) == Set(news) && $0.unreadCount() == 0 }
        }
        for hub in hubs { #expect(try hub.readIDs().count == 5) }
        #expect(try await belfry.unreadCount(of: ann) == 0)
      }
    }

    private func markRead(_ body: String?, _ person: Person, _ belfry: TestStack) async throws -> Int? {
      let path = "/api/v1/notifications/read"
      return try await belfry.call("POST", path, token: person.token, body: body).expect(200).json["markedCount"]
        as? Int
    }
  }
}
