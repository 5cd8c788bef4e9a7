import Authentication
import Broker
import Foundation
import HTTPTypes
import BelfryJSON
import NotificationModel
import NotificationQueue
import NotificationStore
import TestSupport
import Testing
import WallClock

@testable import Gateway

struct DeadLetterRouteTests {
  private static let path = "/api/v1/admin/dead-letters"

  private static func deadLettered(_ id: String?, reason: String = "because", attempts: Int = 3) -> BrokerMessage {
    DeadLetter.annotated(
      BrokerMessage(body: Array(#"{"a":1}"#.utf8), messageID: id, type: "belfry.dispatch", appID: "shop"),
      reason: reason,
      queue: "q",
      exchange: "e",
      routingKey: "k",
      attempts: attempts
    )
  }

  private static let push = DeadQueue.allCases[1]

  @Test func `what is dead-lettered is listed, queue after queue, and how many there are`() async throws {
    try await TestGateway.with { gateway in
      let admin = try await Caller.service("ops", role: .admin)
      let empty = try await gateway.call(.get, Self.path, as: admin).expect(.ok)
      #expect(empty.text == #"{"deadLetters":[],"totalCount":0,"hasMore":false}"#)
      gateway.deadLetters.change { state in
        state.deadLettered[.ingest] = [Self.deadLettered("m0"), Self.deadLettered("m1", reason: "a\u{1b}\"b\n")]
        state.deadLettered[Self.push] = [BrokerMessage(body: [])]
      }
      let all = try await gateway.call(.get, Self.path, as: admin).expect(.ok)
      let letters = try all.list("deadLetters")
      #expect(letters.map { $0["queue"] as? String } == ["belfry.ingest", "belfry.ingest", "belfry.push"])
      #expect(letters[0]["id"] as? String == "m0")
      #expect(letters[1]["reason"] as? String == "a\u{1b}\"b\n")
      #expect(letters[0]["attempts"] as? Int == 3)
      #expect(letters[0]["messageType"] as? String == "belfry.dispatch")
      #expect(letters[0]["appId"] as? String == "shop")
      #expect(letters[0]["size"] as? Int == 7)
      let deadAt = try #require(letters[0]["deadAt"] as? String)
      #expect(abs(try #require(Date(rfc3339: deadAt)).timeIntervalSinceNow) < 60)
      // Published by somebody by hand.
      #expect((letters[2]["id"] as? String)?.hasPrefix("body-") == true)
      for name in ["messageType", "appId", "attempts", "deadAt"] { #expect(letters[2][name] is NSNull) }
      let first = try await gateway.call(.get, Self.path + "?pageSize=1", as: admin).expect(.ok).json()
      #expect((first["deadLetters"] as? [Any])?.count == 1)
      #expect(first["totalCount"] as? Int == 3 && first["hasMore"] as? Bool == true)
      let pushes = try await gateway.call(.get, Self.path + "?queue=belfry.push", as: admin).expect(.ok).json()
      #expect(pushes["totalCount"] as? Int == 1 && pushes["hasMore"] as? Bool == false)
      for query in ["queue=push", "queue=", "pageSize=101"] {
        try await gateway.call(.get, "\(Self.path)?\(query)", as: admin).expectProblem("validation", .badRequest)
      }
    }
  }

  @Test(arguments: WorkQueue.allCases)
  func `each provider's and channel's queue is listed and redriven by its name, and no other`(_ queue: WorkQueue)
    async throws
  {
    try await TestGateway.with { gateway in
      let admin = try await Caller.service("ops", role: .admin)
      gateway.deadLetters.change { state in
        for each in DeadQueue.allCases { state.deadLettered[each] = [Self.deadLettered("of \(each.origin)")] }
      }
      let page = try await gateway.call(.get, "\(Self.path)?queue=\(queue.name)", as: admin).expect(.ok)
      #expect(try page.list("deadLetters").map { $0["id"] as? String } == ["of \(queue.name)"])
      #expect(try page.list("deadLetters").map { $0["queue"] as? String } == [queue.name])
      let body = #"{"queue":"\#(queue.name)","ids":null}"#
      let redriven = try await gateway.call(.post, Self.path + "/redrive", as: admin, body: body).expect(.ok)
      #expect(redriven.text == #"{"redrivenCount":1,"refusedCount":0,"isComplete":true}"#)
      #expect(gateway.deadLetters.redriven == ["of \(queue.name)"])
    }
  }

  @Test func `all that is dead-lettered is seen page by page, across queues or of one`() async throws {
    try await TestGateway.with { gateway in
      let admin = try await Caller.service("ops", role: .admin)
      gateway.deadLetters.change { state in
        state.deadLettered[.ingest] = (0..<5).map { Self.deadLettered("m\($0)") }
        state.deadLettered[Self.push] = (0..<4).map { Self.deadLettered("p\($0)") }
      }
      func page(_ query: String) async throws -> (ids: [String?], hasMore: Bool?) {
        let page = try await gateway.call(.get, Self.path + query, as: admin).expect(.ok)
        let json = try page.json()
        #expect(json["totalCount"] as? Int == (query.contains("queue=") ? 4 : 9))
        return (try page.list("deadLetters").map { $0["id"] as? String }, json["hasMore"] as? Bool)
      }
      var seen: [[String?]] = []
      var hasMore: Bool? = true
      while hasMore == true, seen.count < 9 {
        let next = try await page("?pageSize=2&skip=\(seen.joined().count)")
        seen.append(next.ids)
        hasMore = next.hasMore
      }
      #expect(hasMore == false)
      #expect(seen == [["m0", "m1"], ["m2", "m3"], ["m4", "p0"], ["p1", "p2"], ["p3"]])
      let pushes = try await page("?queue=belfry.push&skip=1&pageSize=2")
      #expect(pushes.ids == ["p1", "p2"] && pushes.hasMore == true)
      for query in ["?skip=9", "?skip=10000", "?queue=belfry.push&skip=4"] {
        let end = try await page(query)
        #expect(end.ids.isEmpty && end.hasMore == false)
      }
      for skip in ["-1", "10001", "x", ""] {
        let answer = try await gateway.call(.get, "\(Self.path)?skip=\(skip)", as: admin)
        #expect(try answer.expectProblem("validation", .badRequest) == ["skip"])
      }
    }
  }

  @Test func `those named go, or all, and the audit says who sent what`() async throws {
    try await TestGateway.with { gateway in
      let admin = try await Caller.service("ops", role: .admin)
      gateway.deadLetters.change { state in
        state.deadLettered[.ingest] = (0..<5).map { Self.deadLettered("m\($0)") }
        state.deadLettered[Self.push] = [Self.deadLettered("p")]
      }
      let some = try await gateway.call(
        .post,
        Self.path + "/redrive",
        as: admin,
        body: #"{"queue":"belfry.ingest","ids":["m1","m3","gone"]}"#
      ).expect(.ok)
      #expect(some.text == #"{"redrivenCount":2,"refusedCount":0,"isComplete":true}"#)
      #expect(gateway.deadLetters.redriven.count == 2 && Set(gateway.deadLetters.redriven) == ["m1", "m3"])
      let discarded = try await gateway.call(
        .post,
        Self.path + "/discard",
        as: admin,
        body: #"{"queue":"belfry.ingest","ids":["m0"]}"#
      ).expect(.ok)
      #expect(discarded.text == #"{"discardedCount":1,"isComplete":true}"#)
      #expect(gateway.deadLetters.ids(in: .ingest) == ["m2", "m4"])
      let all = try await gateway.call(
        .post,
        Self.path + "/discard",
        as: admin,
        body: #"{"queue":"belfry.ingest","ids":null}"#
      ).expect(.ok)
      #expect(all.text == #"{"discardedCount":2,"isComplete":true}"#)
      #expect(gateway.deadLetters.ids(in: .ingest).isEmpty)
      #expect(gateway.deadLetters.ids(in: Self.push) == ["p"])
      let entries = try await AuditStore(client: gateway.database).page(before: nil, limit: 10).entries
      #expect(entries.map(\.action) == ["deadLetters.discard", "deadLetters.discard", "deadLetters.redrive"])
      #expect(entries.allSatisfy { $0.actor == "ops" && $0.subject == "belfry.ingest" && $0.requestID != nil })
      #expect(entries.last?.detail?["ids"]?.array?.compactMap(\.string) == ["gone", "m1", "m3"])
      #expect(entries.first?.detail?["ids"] == nil)
    }
  }

  @Test func `what the broker does not take, and what time did not reach, is said`() async throws {
    try await TestGateway.with { gateway in
      let admin = try await Caller.service("ops", role: .admin)
      gateway.deadLetters.change { state in
        state.deadLettered[.ingest] = (0..<5).map { Self.deadLettered("m\($0)") }
        state.refused = ["m1"]
        state.reach = 3
      }
      let body = #"{"queue":"belfry.ingest","ids":null}"#
      let redriven = try await gateway.call(.post, Self.path + "/redrive", as: admin, body: body).expect(.ok)
      #expect(redriven.text == #"{"redrivenCount":2,"refusedCount":1,"isComplete":false}"#)
      #expect(gateway.deadLetters.ids(in: .ingest) == ["m1", "m3", "m4"])
      gateway.deadLetters.change { $0.error = BrokerError(.cannotConnect, "no") }
      try await gateway.call(.get, Self.path, as: admin).expectProblem("unavailable", .serviceUnavailable)
      // And whoever comes next has their turn.
      gateway.deadLetters.change { $0.error = nil }
      _ = try await gateway.call(.get, Self.path, as: admin).expect(.ok)
    }
  }

  @Test(arguments: [
    ("{}", ["queue", "ids"]), (#"{"queue":"belfry.ingest"}"#, ["ids"]), (#"{"queue":"x","ids":null}"#, ["queue"]),
    (#"{"queue":"belfry.ingest","ids":["a",""]}"#, ["ids[1]"]),
    (#"{"queue":"belfry.ingest","ids":["a\u0000"]}"#, ["ids[0]"]),
    (#"{"queue":"belfry.ingest","ids":"a"}"#, ["ids"]), (#"{"queue":"belfry.ingest","ids":null,"all":true}"#, ["all"]),
  ])
  func `what does not say what is meant changes nothing`(_ body: String, _ fields: [String]) async throws {
    try await TestGateway.with { gateway in
      let admin = try await Caller.service("ops", role: .admin)
      gateway.deadLetters.change { $0.deadLettered[.ingest] = [Self.deadLettered("a")] }
      for act in ["redrive", "discard"] {
        let answer = try await gateway.call(.post, "\(Self.path)/\(act)", as: admin, body: body)
        #expect(Set(try answer.expectProblem("validation", .badRequest)) == Set(fields))
      }
      #expect(gateway.deadLetters.ids(in: .ingest) == ["a"])
      #expect(try await AuditStore(client: gateway.database).page(before: nil, limit: 1).entries.isEmpty)
    }
  }

  @Test func `nothing happens that cannot be written down`() async throws {
    try await TestGateway.withoutDatabase { gateway in
      let admin = try await Caller.service("ops", role: .admin)
      gateway.deadLetters.change { $0.deadLettered[.ingest] = [Self.deadLettered("a")] }
      let body = #"{"queue":"belfry.ingest","ids":null}"#
      for act in ["redrive", "discard"] {
        try await gateway.call(.post, "\(Self.path)/\(act)", as: admin, body: body)
          .expectProblem("unavailable", .serviceUnavailable)
      }
      #expect(gateway.deadLetters.ids(in: .ingest) == ["a"])
    }
  }
}
