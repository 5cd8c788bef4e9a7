import Foundation
import HTTPTypes
import NotificationModel
import NotificationQueue
import TestSupport
import Testing

@testable import Gateway

/// What users do with their notifications, and what their other connections hear of it.
@Suite struct InboxOperationRouteTests {
  private let path = "/api/v1/notifications"

  /// `deleted …`, or `changed …` with what it is now.
  private func heard(_ gateway: TestGateway) throws -> [String] {
    try gateway.broker.messages(in: "realtime").flatMap { message in
      let message = try QueueCoder.decode(RealtimeMessage.self, from: message)
      let changes = message.changes.map { change in
        switch change.state {
        case .deleted: "deleted"
        case .changed(let own, let content):
          [
            "changed \(message.contents[content].title):", own.readAt == nil ? "unread" : "read",
            own.seenAt == nil ? "unseen" : "seen", own.archivedAt == nil ? nil : "archived",
            own.snoozedUntil == nil ? nil : "snoozed",
          ].compactMap(\.self).joined(separator: " ")
        }
      }
      return changes + message.events.map { "\($0.kind == .unread ? "unread" : "read") \($0.unread)" }
    }
  }

  private func titles(_ query: String, _ ann: Caller, _ gateway: TestGateway) async throws -> [String] {
    try await gateway.call(.get, "\(path)?\(query)", as: ann).expect(.ok).list("notifications")
      .compactMap { $0["title"] as? String }
  }

  private func counts(_ ann: Caller, _ gateway: TestGateway) async throws -> String {
    try await gateway.call(.get, "\(path)/unread-count", as: ann).expect(.ok).text
  }

  @Test func `unread undoes read once, what was seen stays seen, and both are published`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      let id = try await gateway.store(2, for: ann.id)[0]
      try await _ = gateway.call(.patch, "\(path)/\(id)/read", as: ann).expect(.ok)
      #expect(try await counts(ann, gateway) == #"{"count":1,"unseen":1}"#)
      for _ in 0..<2 {
        let answer = try await gateway.call(.patch, "\(path)/\(id)/unread", as: ann).expect(.ok).json()
        #expect(answer["isRead"] as? Bool == false)
        #expect(answer["readAt"] is NSNull)
        #expect(answer["seenAt"] is String)
        #expect(try await counts(ann, gateway) == #"{"count":2,"unseen":1}"#)
      }
      #expect(try heard(gateway) == ["read 1", "changed Number 1: unread seen", "unread 2"])
    }
  }

  @Test func `what is archived leaves the inbox as it is, and comes back so`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      let id = try await gateway.store(2, for: ann.id)[0]
      for _ in 0..<2 {
        let answer = try await gateway.call(.patch, "\(path)/\(id)/archive", as: ann).expect(.ok).json()
        #expect(answer["archivedAt"] is String)
      }
      #expect(try await titles("archived=true", ann, gateway) == ["Number 1"])
      #expect(try await titles("archived=false", ann, gateway) == ["Number 2"])
      #expect(try await counts(ann, gateway) == #"{"count":1,"unseen":1}"#)
      // There it is read without a count.
      try await _ = gateway.call(.patch, "\(path)/\(id)/read", as: ann).expect(.ok)
      try await _ = gateway.call(.patch, "\(path)/\(id)/unread", as: ann).expect(.ok)
      #expect(try await counts(ann, gateway) == #"{"count":1,"unseen":1}"#)
      #expect(try await gateway.call(.get, "\(path)/\(id)", as: ann).expect(.ok).json()["archivedAt"] is String)
      let back = try await gateway.call(.patch, "\(path)/\(id)/unarchive", as: ann).expect(.ok).json()
      #expect(back["archivedAt"] is NSNull)
      #expect(back["isRead"] as? Bool == false)
      #expect(try await titles("", ann, gateway) == ["Number 2", "Number 1"])
      #expect(try await counts(ann, gateway) == #"{"count":2,"unseen":1}"#)
      #expect(
        try heard(gateway) == [
          "changed Number 1: unread unseen archived", "unread 1", "read 1",
          "changed Number 1: unread seen archived", "unread 1", "changed Number 1: unread seen", "unread 2",
        ]
      )
    }
  }

  @Test func `what is snoozed is in neither list until it is woken, unread and unseen`() async throws {
    // 2027-01-15T08:00:00Z.
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    try await TestGateway.with(clock: { now }) { gateway in
      let ann = try await Caller.user()
      let id = try await gateway.store(2, for: ann.id)[0]
      try await _ = gateway.call(.patch, "\(path)/\(id)/read", as: ann).expect(.ok)
      let until = "2027-01-15T09:00:00.000Z"
      let answer = try await gateway.call(.patch, "\(path)/\(id)/snooze", as: ann, body: "{\"until\":\"\(until)\"}")
      #expect(try answer.expect(.ok).json()["snoozedUntil"] as? String == until)
      #expect(try await titles("", ann, gateway) == ["Number 2"])
      #expect(try await titles("archived=true", ann, gateway).isEmpty)
      #expect(try await titles("snoozed=true", ann, gateway) == ["Number 1"])
      let woken = try await gateway.call(.patch, "\(path)/\(id)/snooze", as: ann, body: #"{"until":null}"#).expect(.ok)
      #expect(try woken.json()["snoozedUntil"] is NSNull)
      #expect(try woken.json()["isRead"] as? Bool == false)
      #expect(try await counts(ann, gateway) == #"{"count":2,"unseen":2}"#)
      #expect(
        try heard(gateway) == [
          "read 1", "changed Number 1: read seen snoozed", "unread 1", "changed Number 1: unread unseen", "unread 2",
        ]
      )
    }
  }

  @Test func `a time to come back that is none is refused by name`() async throws {
    // 2027-01-15T08:00:00Z.
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    try await TestGateway.with(clock: { now }) { gateway in
      let ann = try await Caller.user()
      let id = try await gateway.store(1, for: ann.id)[0]
      for body in [
        "{}", #"{"until":7}"#, #"{"until":"tomorrow"}"#, #"{"until":"2027-01-15T08:00:00Z"}"#,
        #"{"until":"2028-01-15T08:00:01Z"}"#,
      ] {
        let answer = try await gateway.call(.patch, "\(path)/\(id)/snooze", as: ann, body: body)
        #expect(try answer.expectProblem("validation", .badRequest) == ["until"], "\(body)")
      }
      let misspelt = try await gateway.call(.patch, "\(path)/\(id)/snooze", as: ann, body: #"{"til":null}"#)
      #expect(try Set(misspelt.expectProblem("validation", .badRequest)) == ["til", "until"])
      #expect(try heard(gateway).isEmpty)
    }
  }

  @Test func `seen takes them out of the unseen and leaves them unread`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      let ids = try await gateway.store(4, for: ann.id)
      try await _ = gateway.call(.patch, "\(path)/\(ids[3])/read", as: ann).expect(.ok)
      func mark(_ body: String?) async throws -> Int? {
        try await gateway.call(.post, "\(path)/seen", as: ann, body: body).expect(.ok).json()["markedCount"] as? Int
      }
      #expect(try await mark(#"{"notificationIds":[]}"#) == 0)
      #expect(try await mark("{\"notificationIds\":[\"\(ids[0])\",\"\(ids[3])\"]}") == 1)
      #expect(try await counts(ann, gateway) == #"{"count":3,"unseen":2}"#)
      #expect(try await mark(nil) == 2)
      #expect(try await mark(nil) == 0)
      #expect(try await counts(ann, gateway) == #"{"count":3,"unseen":0}"#)
      let changed = (1...3).map { "changed Number \($0): unread seen" }
      #expect(try heard(gateway) == ["read 3", changed[0], "unread 3", changed[1], changed[2], "unread 3"])
      let refused = try await gateway.call(.post, "\(path)/seen", as: ann, body: #"{"ids":null}"#)
      #expect(try refused.expectProblem("validation", .badRequest) == ["ids"])
    }
  }

  @Test func `what is deleted is gone from everywhere, once, and its owner's alone`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      let ids = try await gateway.store(3, for: ann.id)
      try await gateway.call(.delete, "\(path)/\(ids[0])", as: .user()).expectProblem("not-found", .notFound)
      let first = try await gateway.call(.delete, "\(path)/\(ids[0])", as: ann).expect(.noContent)
      #expect(first.body.isEmpty)
      try await gateway.call(.delete, "\(path)/\(ids[0])", as: ann).expectProblem("not-found", .notFound)
      for act in ["read", "unread", "archive", "unarchive"] {
        try await gateway.call(.patch, "\(path)/\(ids[0])/\(act)", as: ann).expectProblem("not-found", .notFound)
      }
      try await gateway.call(.get, "\(path)/\(ids[0])", as: ann).expectProblem("not-found", .notFound)
      #expect(try await titles("", ann, gateway) == ["Number 3", "Number 2"])
      #expect(try await counts(ann, gateway) == #"{"count":2,"unseen":2}"#)
      #expect(try heard(gateway) == ["deleted", "unread 2"])
    }
  }

  @Test func `deleting the read ones leaves the unread, the archived and the snoozed`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      let ids = try await gateway.store(4, for: ann.id)
      for id in ids[..<3] { try await _ = gateway.call(.patch, "\(path)/\(id)/read", as: ann).expect(.ok) }
      try await _ = gateway.call(.patch, "\(path)/\(ids[0])/archive", as: ann).expect(.ok)
      let answer = try await gateway.call(.delete, path, as: ann).expect(.ok)
      #expect(answer.text == #"{"deletedCount":2}"#)
      #expect(try await gateway.call(.delete, path, as: ann).expect(.ok).text == #"{"deletedCount":0}"#)
      #expect(try await titles("", ann, gateway) == ["Number 4"])
      #expect(try await titles("archived=true", ann, gateway) == ["Number 1"])
      #expect(try heard(gateway).suffix(3) == ["deleted", "deleted", "unread 1"])
    }
  }

  @Test func `of more than a hundred the connections hear the count alone`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      try await gateway.store(101, for: ann.id)
      let marked = try await gateway.call(.post, "\(path)/read", as: ann).expect(.ok)
      #expect(marked.text == #"{"markedCount":101}"#)
      #expect(try await gateway.call(.delete, path, as: ann).expect(.ok).text == #"{"deletedCount":101}"#)
      #expect(try heard(gateway) == ["unread 0", "unread 0"])
    }
  }

  @Test func `a list of one category has its types alone, whatever else is asked`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      try await gateway.store(2, for: ann.id, type: 10)
      try await gateway.store(3, for: ann.id, type: 99)
      let category = try #require(try TestGateway.catalogue.get().type(.code(10))?.category)
      let found = try await gateway.call(.get, "\(path)?category=\(category)", as: ann).expect(.ok)
      #expect(try found.list("notifications").map { $0["type"] as? Int } == [10, 10])
      #expect(try found.json()["totalCount"] as? Int == 2)
      #expect(try found.json()["unreadCount"] as? Int == 5)
      #expect(try await titles("category=\(category)&type=99", ann, gateway).isEmpty)
      let unknown = try await gateway.call(.get, "\(path)?category=Nothing", as: ann)
      #expect(try unknown.expectProblem("validation", .badRequest) == ["category"])
      let both = try await gateway.call(.get, "\(path)?archived=true&snoozed=true", as: ann)
      #expect(try both.expectProblem("validation", .badRequest) == ["snoozed"])
    }
  }

  @Test func `who was away gets what became of what they have, and may ask from the last change on`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      let ids = try await gateway.store(3, for: ann.id)
      func missed(_ query: String) async throws -> Answer {
        try await gateway.call(.get, "\(path)/changes?\(query)", as: ann).expect(.ok)
      }
      #expect(try await missed("since=3").json()["change"] as? Int == 0)
      try await _ = gateway.call(.patch, "\(path)/\(ids[0])/archive", as: ann).expect(.ok)
      try await _ = gateway.call(.delete, "\(path)/\(ids[1])", as: ann).expect(.noContent)
      try await gateway.store(1, for: ann.id)
      let first = try await missed("since=3")
      #expect(try first.list("notifications").map { $0["seq"] as? Int } == [4])
      #expect(try first.list("changed").map { $0["id"] as? String } == [ids[0].description])
      #expect(try first.list("changed").first?["archivedAt"] is String)
      #expect(try first.json()["deleted"] as? [String] == [ids[1].description])
      #expect(try first.json()["change"] as? Int == 2)
      #expect(try first.json()["isComplete"] as? Bool == true)
      let second = try await missed("since=4&change=1").json()
      #expect((second["changed"] as? [Any])?.isEmpty == true)
      #expect(second["deleted"] as? [String] == [ids[1].description])
      let wrong = try await gateway.call(.get, "\(path)/changes?since=0&change=-1", as: ann)
      #expect(try wrong.expectProblem("validation", .badRequest) == ["change"])
    }
  }
}
