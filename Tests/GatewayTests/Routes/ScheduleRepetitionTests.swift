import Foundation
import HTTPTypes
import NotificationModel
import Testing

@testable import Gateway

/// `PUT /api/v1/schedules/{key}` with an `Idempotency-Key`, or with `If-None-Match`.
@Suite struct ScheduleRepetitionTests {
  private static let path = "/api/v1/schedules/bins"

  private static func body(_ time: String) -> String {
    #"{"to":{"group":"team"},"type":12,"recurrence":"FREQ=DAILY","time":"\#(time)","start":"2099-01-01"}"#
  }

  private static func put(
    _ gateway: TestGateway,
    _ time: String,
    key: String? = "k1",
    path: String = ScheduleRepetitionTests.path,
    as caller: String = "shop",
    _ headers: HTTPFields = [:]
  ) async throws -> Answer {
    var headers = headers
    headers[.idempotencyKey] = key
    return try await gateway.call(.put, path, as: .service(caller), headers: headers, body: body(time))
  }

  private static func time(_ gateway: TestGateway) async throws -> String? {
    try await gateway.call(.get, path, as: .service()).expect(.ok).json()["time"] as? String
  }

  @Test func `a repetition answers as the first did, although its precondition does not hold any more`() async throws {
    try await TestGateway.with { gateway in
      let first = try await Self.put(gateway, "19:00", [.ifNoneMatch: "*"]).expect(.created)
      let again = try await Self.put(gateway, "19:00", [.ifNoneMatch: "*"]).expect(.created)
      #expect(again.body == first.body && again.headers[.eTag] == first.headers[.eTag])
      let tag = try #require(first.headers[.eTag])
      let change = try await Self.put(gateway, "20:00", key: "k2", [.ifMatch: tag]).expect(.ok)
      let repeated = try await Self.put(gateway, "20:00", key: "k2", [.ifMatch: tag]).expect(.ok)
      #expect(repeated.body == change.body && repeated.headers[.eTag] == change.headers[.eTag])
      #expect(change.headers[.eTag] != tag)
    }
  }

  @Test func `a repetition never writes over what came after the first`() async throws {
    try await TestGateway.with { gateway in
      _ = try await Self.put(gateway, "19:00").expect(.created)
      let other = try await Self.put(gateway, "20:00", key: nil).expect(.ok)
      let again = try await Self.put(gateway, "19:00").expect(.ok)
      #expect(try again.json()["time"] as? String == "20:00")
      #expect(again.headers[.eTag] == other.headers[.eTag])
      #expect(try await Self.time(gateway) == "20:00")
      _ = try await gateway.call(.delete, Self.path, as: .service()).expect(.noContent)
      try await Self.put(gateway, "19:00").expectProblem("not-found", .notFound)
      try await gateway.call(.get, Self.path, as: .service()).expectProblem("not-found", .notFound)
    }
  }

  @Test func `a change that found all as it should be is answered so again`() async throws {
    let clock = SettableClock()
    try await TestGateway.with(clock: { clock.now }) { gateway in
      _ = try await Self.put(gateway, "19:00", key: nil).expect(.created)
      clock.advance(by: 1)
      _ = try await Self.put(gateway, "19:00").expect(.ok)
      _ = try await Self.put(gateway, "19:00").expect(.ok)
    }
  }

  @Test func `a key stands for one change, of one caller`() async throws {
    try await TestGateway.with { gateway in
      _ = try await Self.put(gateway, "19:00").expect(.created)
      try await Self.put(gateway, "20:00").expectProblem("idempotency-key-reused", .unprocessableContent)
      let other = try await Self.put(gateway, "19:00", path: "/api/v1/schedules/other")
      try other.expectProblem("idempotency-key-reused", .unprocessableContent)
      #expect(other.text.contains("for another schedule"))
      #expect(try await Self.time(gateway) == "19:00")
      _ = try await Self.put(gateway, "20:00", as: "bank").expect(.created)
      for key in ["", "a b", String(repeating: "x", count: 256)] {
        let answer = try await Self.put(gateway, "19:00", key: key)
        #expect(try answer.expectProblem("validation", .badRequest) == ["Idempotency-Key"])
      }
    }
  }

  @Test func `what was refused has not happened: the key is there for the next attempt`() async throws {
    let clock = SettableClock()
    try await TestGateway.with(clock: { clock.now }) { gateway in
      try await Self.put(gateway, "19:00", [.ifMatch: "*"]).expectProblem("precondition-failed", .preconditionFailed)
      _ = try await Self.put(gateway, "19:00").expect(.created)
      let at = clock.now.addingTimeInterval(60).ISO8601Format()
      let once = #"{"to":{"group":"team"},"type":12,"sendAt":"\#(at)"}"#
      let path = "/api/v1/schedules/once"
      func put(_ key: String) async throws -> Answer {
        try await gateway.call(.put, path, as: .service(), headers: [.idempotencyKey: key], body: once)
      }
      _ = try await put("k2").expect(.created)
      clock.advance(by: 3_600)
      // Whose time has passed is refused, but not who asks again how it went.
      #expect(try await put("k3").expectProblem("validation", .badRequest) == ["sendAt"])
      _ = try await put("k2").expect(.created)
    }
  }

  @Test func `of many at once with one key, one writes`() async throws {
    try await TestGateway.with(connections: 4) { gateway in
      let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
        for _ in 0..<8 { group.addTask { try await Self.put(gateway, "19:00") } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(answers.map(\.status) == Array(repeating: .created, count: 8))
      #expect(Set(answers.map(\.text)).count == 1)
    }
  }

  @Test func `If-None-Match names versions that are not to be replaced`() async throws {
    try await TestGateway.with { gateway in
      func put(_ time: String, _ headers: HTTPFields) async throws -> Answer {
        try await Self.put(gateway, time, key: nil, headers)
      }
      let first = try #require(try await put("19:00", [.ifNoneMatch: "\"1\""]).expect(.created).headers[.eTag])
      for tags in [first, "W/\(first)", "\"9\", \(first)", "*"] {
        let refused = try await put("20:00", [.ifNoneMatch: tags])
        try refused.expectProblem("precondition-failed", .preconditionFailed)
        #expect(refused.text.contains("already") == (tags == "*"), "\(tags)")
      }
      try await put("20:00", [.ifMatch: first, .ifNoneMatch: first])
        .expectProblem("precondition-failed", .preconditionFailed)
      let changed = try await put("20:00", [.ifMatch: "*", .ifNoneMatch: "\"2\", \"other\""]).expect(.ok)
      let second = try #require(changed.headers[.eTag])
      #expect(try await Self.time(gateway) == "20:00")
      try await gateway.call(.delete, Self.path, as: .service(), headers: [.ifNoneMatch: second])
        .expectProblem("precondition-failed", .preconditionFailed)
      _ = try await gateway.call(.delete, Self.path, as: .service(), headers: [.ifNoneMatch: first])
        .expect(.noContent)
    }
  }
}
