import Foundation
import HTTPTypes
import NotificationModel
import NotificationQueue
import TestSupport
import Testing

@testable import Gateway

/// List, count, changes, and marking as read.
@Suite struct InboxRouteTests {
  private let path = "/api/v1/notifications"

  @Test func `pages go from the newest to the oldest and say whether more follow`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      let ids = try await gateway.store(25, for: ann.id).map(\.description).reversed() as [String]
      let first = try await gateway.call(.get, path, as: ann).expect(.ok)
      #expect(try first.list("notifications").map { $0["id"] as? String } == Array(ids[..<20]))
      #expect(try first.json()["hasMore"] as? Bool == true)
      #expect(try first.json()["totalCount"] as? Int == 25)
      #expect(try first.json()["unreadCount"] as? Int == 25)
      let second = try await gateway.call(.get, "\(path)?page=2&pageSize=20", as: ann).expect(.ok)
      #expect(try second.list("notifications").map { $0["id"] as? String } == Array(ids[20...]))
      #expect(try second.json()["hasMore"] as? Bool == false)
      let after = try await gateway.call(.get, "\(path)?before=\(ids[19])", as: ann).expect(.ok)
      #expect(after.text == second.text)
    }
  }

  @Test func `a list can be held to a type or to what is unread`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      let read = try await gateway.store(1, for: ann.id)[0]
      let other = try await gateway.store(1, for: ann.id, type: 12)[0]
      _ = try await gateway.call(.patch, "\(path)/\(read)/read", as: ann).expect(.ok)
      for query in ["unreadOnly=true", "type=12", "type=allowanceresumed", "type=12&unreadOnly=TRUE"] {
        let list = try await gateway.call(.get, "\(path)?\(query)", as: ann).expect(.ok)
        #expect(try list.list("notifications").map { $0["id"] as? String } == [other.description])
        #expect(try list.json()["totalCount"] as? Int == 1)
      }
    }
  }

  @Test(arguments: [
    ("?page=0", ["page"]), ("?page=1001", ["page"]), ("?pageSize=51", ["pageSize"]), ("?pageSize=x", ["pageSize"]),
    ("?unreadOnly=1", ["unreadOnly"]), ("?type=12345", ["type"]), ("?type=%00", ["type"]), ("?before=7", ["before"]),
    ("?page=-1&pageSize=0&unreadOnly=perhaps", ["page", "pageSize", "unreadOnly"]),
    ("/changes", ["since"]), ("/changes?since=-1", ["since"]), ("/changes?since=0&limit=101", ["limit"]),
  ])
  func `a parameter that cannot be read is named, and so is every other`(
    _ query: String,
    _ fields: [String]
  ) async throws {
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await gateway.call(.get, path + query, as: .user())
      #expect(try answer.expectProblem("validation", .badRequest) == fields)
    }
  }

  @Test func `changes list what came after a seq, oldest first`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      let ids = try await gateway.store(5, for: ann.id).map(\.description)
      let first = try await gateway.call(.get, "\(path)/changes?since=1&limit=3", as: ann).expect(.ok)
      #expect(try first.list("notifications").map { $0["id"] as? String } == Array(ids[1...3]))
      #expect(try first.list("notifications").map { $0["seq"] as? Int } == [2, 3, 4])
      #expect(try first.json()["hasMore"] as? Bool == true)
      #expect(try first.json()["seq"] as? Int == 5)
      #expect(try first.json()["unreadCount"] as? Int == 5)
      let none = try await gateway.call(.get, "\(path)/changes?since=0", as: .user()).expect(.ok)
      let nothing = #"{"notifications":[],"seq":0,"unreadCount":0,"hasMore":false,"#
      #expect(none.text == nothing + #""changed":[],"deleted":[],"change":0,"isComplete":true}"#)
    }
  }

  @Test func `one notification is found by its id in either case, and another's is not`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      let id = try await gateway.store(1, for: ann.id)[0].description
      for spelling in [id, id.uppercased()] {
        let answer = try await gateway.call(.get, "\(path)/\(spelling)", as: ann).expect(.ok).json()
        #expect(answer["id"] as? String == id)
        #expect(answer["title"] as? String == "Number 1")
        #expect(answer["data"] as? String == #"{"amount":"$10.00"}"#)
      }
      try await gateway.call(.get, "\(path)/\(id)", as: .user()).expectProblem("not-found", .notFound)
      try await gateway.call(.patch, "\(path)/\(id)/read", as: .user()).expectProblem("not-found", .notFound)
    }
  }

  @Test func `reading one notifies the user's connections once`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      let ids = try await gateway.store(2, for: ann.id)
      let first = try await gateway.call(.patch, "\(path)/\(ids[0])/read", as: ann).expect(.ok).json()
      let second = try await gateway.call(.patch, "\(path)/\(ids[0])/read", as: ann).expect(.ok).json()
      #expect(first["isRead"] as? Bool == true)
      #expect(first["readAt"] as? String == second["readAt"] as? String)
      let published = try gateway.published()
      #expect(published.map(\.kind) == [.read(ids[0])])
      #expect(published.first?.unread == 1)
      #expect(
        try await gateway.call(.get, "\(path)/unread-count", as: ann).expect(.ok).text == #"{"count":1,"unseen":1}"#
      )
    }
  }

  @Test func `reading many marks those named, and without names all`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      let ids = try await gateway.store(4, for: ann.id)
      let others = try await gateway.store(1, for: UserID(UUID()))
      func mark(_ body: String?) async throws -> Int? {
        try await gateway.call(.post, "\(path)/read", as: ann, body: body).expect(.ok).json()["markedCount"] as? Int
      }
      #expect(try await mark(#"{"notificationIds":[]}"#) == 0)
      #expect(try await mark("{\"notificationIds\":[\"\(ids[0])\",\"\(others[0])\"]}") == 1)
      #expect(try await mark(#"{"notificationIds":null}"#) == 3)
      #expect(try await mark(nil) == 0)
      let read = try gateway.published().map(\.kind).filter { $0 != .unread }
      #expect(read == ([ids[0]] + ids[1...].sorted()).map { .read($0) })
    }
  }

  @Test(arguments: [
    (#"{"ids":["019a8b7c-6d5e-7f40-8123-456789abcdef"]}"#, ["ids"]),
    (#"{"notificationIds":["x"]}"#, ["notificationIds[0]"]), (#"{"notificationIds":7}"#, ["notificationIds"]),
    ("[]", [""]), ("notificationIds", [""]),
  ])
  func `a list that cannot be read marks nothing`(_ body: String, _ fields: [String]) async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      try await gateway.store(2, for: ann.id)
      let answer = try await gateway.call(.post, "\(path)/read", as: ann, body: body)
      #expect(try answer.expectProblem("validation", .badRequest) == fields)
      #expect(try await gateway.call(.get, "\(path)/unread-count", as: ann).text == #"{"count":2,"unseen":2}"#)
    }
  }
}
