import Foundation
import HTTPTypes
import NotificationModel
import Postgres
import TestSupport
import Testing
import WallClock

@testable import Gateway

/// `ETag`, `If-Match` and `If-None-Match` of what users set for themselves.
@Suite struct ConditionalPreferenceTests {
  private static let path = "/api/v1/notifications/preferences"
  private static let hours = "/api/v1/notifications/preferences/quiet-hours"
  private static let coarse = "/api/v1/notification-preferences"

  private static let coarseBody =
    #"{"inAppEnabled":true,"inAppTransactions":true,"inAppAllowance":true,"inAppChores":true,"inAppGoals":true,"#
    + #""lowBalanceNotifications":true,"lowBalanceThreshold":25}"#

  private func tag(_ answer: Answer) throws -> String {
    let tag = try #require(answer.headers[.eTag])
    #expect(tag.hasPrefix("\"") && tag.hasSuffix("\""), "strong, not weak: \(tag)")
    return tag
  }

  @Test(arguments: [
    (path, path, #"{"soundEnabled":false}"#), (path, hours, #"{"enabled":true,"startTime":"22:00","endTime":"07:00"}"#),
    (coarse, coarse, coarseBody),
  ])
  func `a version is named, known, replaced, and then known no more`(
    _ read: String,
    _ written: String,
    _ body: String
  ) async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      let first = try await gateway.call(.get, read, as: ann).expect(.ok)
      let old = try tag(first)
      let known = try await gateway.call(.get, read, as: ann, headers: [.ifNoneMatch: old]).expect(.notModified)
      #expect(known.body.isEmpty && known.headers[.eTag] == old)
      let stale = try await gateway.call(.put, written, as: ann, headers: [.ifMatch: "\"0\""], body: body)
      try stale.expectProblem("precondition-failed", .preconditionFailed)
      #expect(try await gateway.call(.get, read, as: ann).expect(.ok).text == first.text)
      let changed = try await gateway.call(.put, written, as: ann, headers: [.ifMatch: old], body: body).expect(.ok)
      let new = try tag(changed)
      #expect(new != old)
      let again = try await gateway.call(.get, read, as: ann, headers: [.ifNoneMatch: old]).expect(.ok)
      #expect(again.text == changed.text && again.headers[.eTag] == new)
      let late = try await gateway.call(.put, written, as: ann, headers: [.ifMatch: old], body: body)
      try late.expectProblem("precondition-failed", .preconditionFailed)
    }
  }

  @Test func `who names no version writes as before, and everybody has settings`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      let body = #"{"badgeEnabled":false}"#
      _ = try await gateway.call(.put, Self.path, as: ann, body: body).expect(.ok)
      _ = try await gateway.call(.put, Self.path, as: ann, headers: [.ifMatch: "*"], body: body).expect(.ok)
      try await gateway.call(.put, Self.path, as: ann, headers: [.ifNoneMatch: "*"], body: body)
        .expectProblem("precondition-failed", .preconditionFailed)
    }
  }

  @Test func `a body that cannot be read is refused before the version is compared`() async throws {
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await gateway.call(.put, Self.path, as: .user(), headers: [.ifMatch: "\"0\""], body: "{}")
      #expect(try answer.expectProblem("validation", .badRequest) == ["preferences"])
    }
  }

  @Test func `of several who know the same version one writes`() async throws {
    try await TestGateway.with(connections: 8) { gateway in
      let ann = try await Caller.user()
      let zones = [
        "Europe/Berlin", "Europe/Paris", "Europe/London", "Europe/Madrid", "Asia/Tokyo", "Asia/Seoul", "Asia/Kolkata",
        "Asia/Dubai", "America/Denver", "America/Chicago", "America/Lima", "Africa/Cairo",
      ]
      for round in 0..<3 {
        let known = try tag(try await gateway.call(.get, Self.path, as: ann).expect(.ok))
        let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
          for writer in 0..<8 {
            group.addTask {
              // None of these is what is stored, so that each would be another version.
              let (path, body) =
                writer < 4
                ? (Self.path, #"{"timezone":"\#(zones[writer + 4 * round])"}"#)
                : (Self.hours, #"{"enabled":true,"startTime":"22:0\#(writer)","endTime":"07:0\#(round)"}"#)
              return try await gateway.call(.put, path, as: ann, headers: [.ifMatch: known], body: body)
            }
          }
          return try await group.reduce(into: []) { $0.append($1) }
        }
        let written = answers.filter { $0.status == .ok }
        #expect(written.count == 1)
        #expect(answers.count { $0.status == .preconditionFailed } == 7)
        let now = try await gateway.call(.get, Self.path, as: ann).expect(.ok)
        #expect(now.text == written.first?.text)
      }
    }
  }

  @Test func `what another writes while a request waits for its turn is what the request must match`() async throws {
    try await TestGateway.with(connections: 3) { gateway in
      let ann = try await Caller.user()
      let body = #"{"badgeEnabled":false}"#
      let known = try tag(try await gateway.call(.put, Self.path, as: ann, body: body).expect(.ok))
      let pending = try await gateway.database.withTransaction { other in
        _ = try await other.query("UPDATE users SET timezone = 'Asia/Tokyo' WHERE user_id = \(ann.id.uuid)")
        let pending = Task {
          try await gateway.call(.put, Self.path, as: ann, headers: [.ifMatch: known], body: #"{"soundEnabled":false}"#)
        }
        try await untilSomebodyWaits(for: other)
        return pending
      }
      try await pending.value.expectProblem("precondition-failed", .preconditionFailed)
      let now = try await gateway.call(.get, Self.path, as: ann).expect(.ok).json()
      #expect(now["timezone"] as? String == "Asia/Tokyo" && now["soundEnabled"] as? Bool == true)
    }
  }

  @Test func `a pause that has ended is another version, by the gateway's clock`() async throws {
    let clock = SettableClock()
    try await TestGateway.with(clock: { clock.now }) { gateway in
      let ann = try await Caller.user()
      let until = clock.now + 3_600
      let body = #"{"pausedUntil":"\#(until.rfc3339)"}"#
      let paused = try await gateway.call(.put, Self.path, as: ann, body: body).expect(.ok)
      #expect(try paused.json()["pausedUntil"] as? String == until.rfc3339)
      clock.advance(by: 3_600)
      let ended = try await gateway.call(.get, Self.path, as: ann, headers: [.ifNoneMatch: try tag(paused)]).expect(.ok)
      #expect(try ended.json()["pausedUntil"] is NSNull)
      // A year is counted from then as well.
      let far = #"{"pausedUntil":"\#((clock.now + 365 * 86_400).rfc3339)"}"#
      _ = try await gateway.call(.put, Self.path, as: ann, body: far).expect(.ok)
    }
  }
}
