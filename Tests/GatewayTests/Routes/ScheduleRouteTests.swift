import Authentication
import Foundation
import HTTPTypes
import NotificationModel
import NotificationStore
import Recurrence
import Testing
import WallClock

@testable import Gateway

/// `/api/v1/schedules`
@Suite struct ScheduleRouteTests {
  private let path = "/api/v1/schedules"
  private let daily =
    #"{"to":{"group":"team"},"type":12,"recurrence":"FREQ=DAILY","time":"19:00","start":"2099-01-01","timezone":"Europe/Berlin"}"#

  private func next(_ answer: Answer) throws -> [String] { try #require(try answer.json()["next"] as? [String]) }

  @Test func `a schedule is put, read, replaced and deleted`() async throws {
    try await TestGateway.with { gateway in
      let shop = try await Caller.service()
      let created = try await gateway.call(.put, "\(path)/log%2Fdaily", as: shop, body: daily).expect(.created)
      let first = try #require(created.headers[.eTag])
      let answer = try created.json()
      #expect(answer["key"] as? String == "log/daily")
      #expect(answer["recurrence"] as? String == "FREQ=DAILY")
      #expect(
        try next(created) == [
          "2099-01-01T18:00:00.000Z", "2099-01-02T18:00:00.000Z", "2099-01-03T18:00:00.000Z",
          "2099-01-04T18:00:00.000Z", "2099-01-05T18:00:00.000Z",
        ]
      )
      let same = try await gateway.call(.put, "\(path)/log%2Fdaily", as: shop, body: daily).expect(.ok)
      #expect(same.headers[.eTag] == first)
      let later = daily.replacing("19:00", with: "20:00")
      let other = try await gateway.call(.put, "\(path)/log%2Fdaily", as: shop, body: later).expect(.ok)
      let second = try #require(other.headers[.eTag])
      #expect(second != first)
      let read = try await gateway.call(.get, "\(path)/log%2Fdaily", as: shop).expect(.ok)
      #expect(try read.json()["time"] as? String == "20:00")
      #expect(read.headers[.eTag] == second)
      _ = try await gateway.call(.delete, "\(path)/log%2Fdaily", as: shop).expect(.noContent)
      try await gateway.call(.get, "\(path)/log%2Fdaily", as: shop).expectProblem("not-found", .notFound)
      try await gateway.call(.delete, "\(path)/log%2Fdaily", as: shop).expectProblem("not-found", .notFound)
    }
  }

  @Test func `texts that are too long once they are filled in, or have a tag by mistake, are refused by name`()
    async throws
  {
    try await TestGateway.withoutDatabase { gateway in
      for (texts, fields) in [
        (#""title":"{{x}}","body":"\#(String(repeating: "{{x}}", count: 790))""#, ["title", "body"]),
        (#""title":"{{x} is on its way""#, ["title"]),
      ] {
        let data = #""data":{"x":"\#(String(repeating: "a", count: 3_900))"}"#
        let body = daily.replacing(#""type":12"#, with: #""type":12,\#(texts),\#(data)"#)
        let answer = try await gateway.call(.put, "\(path)/long", as: .service(), body: body)
        #expect(try answer.expectProblem("validation", .badRequest) == fields)
      }
    }
  }

  @Test func `data that a topic has no room for is refused, and for people it is not`() async throws {
    try await TestGateway.with { gateway in
      let shop = try await Caller.service()
      let data = #""type":12,"data":{"x":"\#(String(repeating: "a", count: SendRequest.maximumTopicData))"}"#
      let people = daily.replacing(#""type":12"#, with: data)
      let topic = people.replacing(#"{"group":"team"}"#, with: #"{"topic":"news"}"#)
      let answer = try await gateway.call(.put, "\(path)/topic", as: shop, body: topic)
      #expect(try answer.expectProblem("validation", .badRequest) == ["data"])
      _ = try await gateway.call(.put, "\(path)/people", as: shop, body: people).expect(.created)
      let small = daily.replacing(#"{"group":"team"}"#, with: #"{"topic":"news"}"#)
      let created = try await gateway.call(.put, "\(path)/topic", as: shop, body: small).expect(.created)
      #expect(try next(created).first == "2099-01-01T18:00:00.000Z")
    }
  }

  @Test func `what comes next is shown for a zone where recipients differ`() async throws {
    try await TestGateway.with { gateway in
      let shop = try await Caller.service()
      let body = daily.replacing(#","timezone":"Europe/Berlin""#, with: "")
      let home = try await gateway.call(.put, "\(path)/log", as: shop, body: body).expect(.created)
      #expect(try next(home).first == "2099-01-01T19:00:00.000Z")
      let tokyo = try await gateway.call(.get, "\(path)/log?timezone=Asia/Tokyo", as: shop).expect(.ok)
      #expect(try next(tokyo).first == "2099-01-01T10:00:00.000Z")
      let mars = try await gateway.call(.get, "\(path)/log?timezone=Mars/Olympus", as: shop)
      #expect(try mars.expectProblem("validation", .badRequest) == ["timezone"])
    }
  }

  @Test func `who knows another version changes nothing`() async throws {
    try await TestGateway.with { gateway in
      let shop = try await Caller.service()
      func put(_ headers: HTTPFields, _ time: String = "19:00") async throws -> Answer {
        let body = daily.replacing("19:00", with: time)
        return try await gateway.call(.put, "\(path)/log", as: shop, headers: headers, body: body)
      }
      try await put([.ifMatch: "*"]).expectProblem("precondition-failed", .preconditionFailed)
      let first = try #require(try await put([.ifNoneMatch: "*"]).expect(.created).headers[.eTag])
      try await put([.ifNoneMatch: "*"]).expectProblem("precondition-failed", .preconditionFailed)
      let second = try #require(try await put([.ifMatch: first], "20:00").expect(.ok).headers[.eTag])
      try await put([.ifMatch: first]).expectProblem("precondition-failed", .preconditionFailed)
      let gone = try await gateway.call(.delete, "\(path)/log", as: shop, headers: [.ifMatch: first])
      try gone.expectProblem("precondition-failed", .preconditionFailed)
      _ = try await gateway.call(.delete, "\(path)/log", as: shop, headers: [.ifMatch: "\(second), \"9\""])
        .expect(.noContent)
    }
  }

  @Test func `who knows a version is told whether it is still the one, whatever comes next`() async throws {
    let clock = SettableClock()
    try await TestGateway.with(clock: { clock.now }) { gateway in
      let shop = try await Caller.service()
      func call(_ method: HTTPRequest.Method, _ headers: HTTPFields = [:], _ query: String = "") async throws -> Answer
      {
        let body = method == .put ? #"{"to":{"group":"team"},"type":12,"recurrence":"FREQ=DAILY","time":"19:00"}"# : nil
        return try await gateway.call(method, "\(path)/log\(query)", as: shop, headers: headers, body: body)
      }
      let nothing = try await call(.get, [.ifNoneMatch: "*"])
      try nothing.expectProblem("not-found", .notFound)
      let first = try await call(.put).expect(.created)
      let tag = try #require(first.headers[.eTag])
      clock.advance(by: 10 * 86_400)
      let later = try await call(.get, [.ifMatch: tag]).expect(.ok)
      #expect(try next(later) != next(first))
      #expect(later.headers[.eTag] == tag)
      for tags in [tag, "W/\(tag)", "\"1\", \(tag)", "*"] {
        let known = try await call(.get, [.ifNoneMatch: tags], "?timezone=Asia/Tokyo").expect(.notModified)
        #expect(known.body.isEmpty && known.headers[.eTag] == tag)
      }
      _ = try await call(.get, [.ifNoneMatch: "\"1\""]).expect(.ok)
      for tags in ["\"1\"", "W/\(tag)"] {
        try await call(.get, [.ifMatch: tags]).expectProblem("precondition-failed", .preconditionFailed)
      }
    }
  }

  @Test func `a schedule that is put after a deletion is another, of which the old tag says nothing`() async throws {
    try await TestGateway.with { gateway in
      let shop = try await Caller.service()
      func call(_ method: HTTPRequest.Method, _ headers: HTTPFields = [:]) async throws -> Answer {
        try await gateway.call(method, "\(path)/log", as: shop, headers: headers, body: method == .put ? daily : nil)
      }
      let old = try #require(try await call(.put).expect(.created).headers[.eTag])
      _ = try await call(.delete, [.ifMatch: old]).expect(.noContent)
      // The very same body.
      let new = try #require(try await call(.put).expect(.created).headers[.eTag])
      #expect(new != old)
      for method in [HTTPRequest.Method.put, .delete] {
        try await call(method, [.ifMatch: old]).expectProblem("precondition-failed", .preconditionFailed)
      }
      _ = try await call(.put, [.ifMatch: new]).expect(.ok)
      _ = try await call(.put, [.ifNoneMatch: old]).expect(.ok)
    }
  }

  @Test func `a service sees its own, an admin those of whom it names`() async throws {
    try await TestGateway.with { gateway in
      let (shop, bank) = (try await Caller.service(), try await Caller.service("bank"))
      let admin = try await Caller.service("root", role: .admin)
      _ = try await gateway.call(.put, "\(path)/log", as: shop, body: daily).expect(.created)
      try await gateway.call(.get, "\(path)/log", as: bank).expectProblem("not-found", .notFound)
      try await gateway.call(.get, "\(path)/log?owner=shop", as: bank).expectProblem("not-found", .notFound)
      try await gateway.call(.delete, "\(path)/log?owner=shop", as: bank).expectProblem("not-found", .notFound)
      #expect(try await gateway.call(.get, path, as: bank).expect(.ok).list("schedules").isEmpty)
      try await gateway.call(.get, "\(path)/log", as: admin).expectProblem("not-found", .notFound)
      _ = try await gateway.call(.get, "\(path)/log?owner=shop", as: admin).expect(.ok)
      #expect(try await gateway.call(.get, "\(path)?owner=shop", as: admin).expect(.ok).list("schedules").count == 1)
      try await gateway.call(.get, path, as: .user()).expectProblem("forbidden", .forbidden)
      try await gateway.call(.put, "\(path)/log", as: .user(), body: daily).expectProblem("forbidden", .forbidden)
    }
  }

  @Test func `schedules are listed in pages`() async throws {
    try await TestGateway.with { gateway in
      let shop = try await Caller.service()
      for key in ["b", "a", "c%20d"] {
        _ = try await gateway.call(.put, "\(path)/\(key)", as: shop, body: daily).expect(.created)
      }
      let first = try await gateway.call(.get, "\(path)?pageSize=2", as: shop).expect(.ok)
      #expect(try first.list("schedules").map { $0["key"] as? String } == ["a", "b"])
      #expect(try first.json()["hasMore"] as? Bool == true)
      let second = try await gateway.call(.get, "\(path)?pageSize=2&after=b", as: shop).expect(.ok)
      #expect(try second.list("schedules").map { $0["key"] as? String } == ["c d"])
      #expect(try second.json()["hasMore"] as? Bool == false)
      let last = try await gateway.call(.get, "\(path)?after=c%20d", as: shop).expect(.ok)
      #expect(try last.list("schedules").isEmpty)
    }
  }

  @Test func `an admin lists everybody's schedules page by page, or one owner's`() async throws {
    try await TestGateway.with { gateway in
      let admin = try await Caller.service("root", role: .admin)
      for (owner, keys) in [("shop", ["b", "a"]), ("bank", ["z", "z%2F%20%C3%BC"])] {
        let caller = try await Caller.service(owner)
        for key in keys {
          _ = try await gateway.call(.put, "\(path)/\(key)", as: caller, body: daily).expect(.created)
        }
      }
      var seen: [String] = []
      var query = "?pageSize=1"
      while true {
        let page = try await gateway.call(.get, "/api/v1/admin/schedules\(query)", as: admin).expect(.ok)
        for entry in try page.list("schedules") {
          seen.append("\(entry["owner"] as? String ?? "")/\(entry["key"] as? String ?? "")")
          #expect((entry["next"] as? [String])?.first == "2099-01-01T18:00:00.000Z")
        }
        let next = try page.json()["next"] as? String
        #expect((next != nil) == (try page.json()["hasMore"] as? Bool))
        guard let next else { break }
        query = "?pageSize=1&after=\(next)"
      }
      #expect(seen == ["bank/z", "bank/z/ ü", "shop/a", "shop/b"])
      let shop = try await gateway.call(.get, "/api/v1/admin/schedules?owner=shop", as: admin).expect(.ok)
      #expect(try shop.list("schedules").map { $0["key"] as? String } == ["a", "b"])
      for query in ["after=%25", "pageSize=0", "timezone=Mars"] {
        let answer = try await gateway.call(.get, "/api/v1/admin/schedules?\(query)", as: admin)
        #expect(try answer.expectProblem("validation", .badRequest) == [String(query.prefix { $0 != "=" })])
      }
    }
  }

  @Test
  func
    `of a schedule that was stored with more than may be put a list says what is not known, and only its PUT is refused`()
    async throws
  {
    try await TestGateway.with { gateway in
      let shop = try await Caller.service()
      let old = daily.replacing("FREQ=DAILY", with: "FREQ=DAILY;COUNT=1000000").replacing(
        "2099-01-01",
        with: "1970-01-01"
      )
      let store = ScheduleStore(client: gateway.database)
      for index in 0..<60 {
        let start = LocalDate(dayNumber: 0)
        _ = try await store.put("o-\(index)", of: "shop", definition: old, startsOn: start, limit: 100, now: .now)
      }
      _ = try await gateway.call(.put, "\(path)/n", as: shop, body: daily).expect(.created)
      let page = try await gateway.call(.get, "\(path)?pageSize=100", as: shop).expect(.ok).list("schedules")
      #expect(page.count == 61)
      // What may be examined for one answer is used up by the first twenty.
      for entry in page {
        #expect(entry["nextIsComplete"] as? Bool == (entry["key"] as? String == "n"))
      }
      let refused = try await gateway.call(.put, "\(path)/o-1", as: shop, body: old)
      #expect(try refused.expectProblem("validation", .badRequest) == ["recurrence"])
      _ = try await gateway.call(.get, "\(path)/o-1", as: shop).expect(.ok)
      let new = old.replacing("COUNT=1000000", with: "COUNT=10000")
      let ended = try await gateway.call(.put, "\(path)/o-1", as: shop, body: new).expect(.ok)
      #expect(try next(ended).isEmpty)
      #expect(try ended.json()["nextIsComplete"] as? Bool == true)
      let plan = try #require(try await store.entry("o-1", of: "shop")?.plan)
      #expect(RecurrencePlan(json: plan)?.last == LocalDate("1997-05-18"))
    }
  }

  @Test(arguments: [
    (#"{"to":{"group":"g"},"type":12,"recurrence":"FREQ=DAILY;COUNT=10001","time":"09:00"}"#, ["recurrence"]),
    (#"{"to":{"group":"g"},"type":12,"recurrence":"FREQ=DAILY","time":"09:00","start":"2999-01-01"}"#, ["start"]),
    (#"{"to":{"group":"g"},"type":12}"#, ["recurrence"]),
    (#"{"to":{"group":"g"},"type":12,"recurrence":"FREQ=SECONDLY","time":"9"}"#, ["recurrence", "time"]),
    (#"{"to":{"group":"g"},"type":12,"sendAt":"2020-01-01T00:00:00Z"}"#, ["sendAt"]),
    (#"{"to":{"group":"g"},"type":12,"sendAt":"2999-01-01T00:00:00Z"}"#, ["sendAt"]),
    (#"{"to":{"users":[""]},"template":"daily-log-reminder"}"#, ["to.users[0]"]),
    ("[]", [""]), ("", [""]),
  ])
  func `a schedule that cannot be carried out is refused with every field's name`(
    _ body: String,
    _ fields: [String]
  ) async throws {
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await gateway.call(.put, "\(path)/log", as: .service(), body: body)
      #expect(try answer.expectProblem("validation", .badRequest) == fields)
    }
  }

  @Test func `keys and bodies have their limits`() async throws {
    try await TestGateway.withoutDatabase { gateway in
      for key in [String(repeating: "k", count: 129), "a%0Ab"] {
        let answer = try await gateway.call(.put, "\(path)/\(key)", as: .service(), body: daily)
        #expect(try answer.expectProblem("validation", .badRequest) == ["key"])
      }
      for query in ["owner=a%00b", "owner=a%0Ab", "timezone=" + String(repeating: "A", count: 65)] {
        for (method, name) in [(HTTPRequest.Method.get, ""), (.get, "/log"), (.put, "/log")] {
          let answer = try await gateway.call(
            method,
            "\(path)\(name)?\(query)",
            as: .service(role: .admin),
            body: method == .put ? daily : nil
          )
          #expect(try answer.expectProblem("validation", .badRequest) == [String(query.prefix { $0 != "=" })])
        }
      }
      let large = daily + String(repeating: " ", count: 64 * 1_024)
      try await gateway.call(.put, "\(path)/log", as: .service(), body: large)
        .expectProblem("too-large", .contentTooLarge)
    }
  }
}
