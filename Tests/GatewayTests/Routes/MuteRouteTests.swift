import Foundation
import HTTPTypes
import NotificationModel
import TestSupport
import Testing
import WallClock

@testable import Gateway

/// `GET`, `PUT` and `DELETE` of `/api/v1/notifications/muted`.
@Suite struct MuteRouteTests {
  private let path = "/api/v1/notifications/muted"

  @Test func `a conversation is muted for good or for a time, listed, and unmuted`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      let until = (Date.now + 3_600).rfc3339
      _ = try await gateway.call(.put, "\(path)/Conversation/A-1", as: ann).expect(.noContent)
      let body = #"{"until":"\#(until)"}"#
      _ = try await gateway.call(.put, "\(path)/goal/summer%20trip%2F1", as: ann, body: body).expect(.noContent)
      let list = try await gateway.call(.get, path, as: ann).expect(.ok)
      #expect(
        list.text == #"{"muted":[{"entityType":"conversation","entityId":"a-1","until":null},"#
          + #"{"entityType":"goal","entityId":"summer trip/1","until":"\#(until)"}],"hasMore":false}"#
      )
      // Compared without regard to case; the second time there is nothing left.
      for _ in 0..<2 {
        _ = try await gateway.call(.delete, "\(path)/CONVERSATION/a-1", as: ann).expect(.noContent)
      }
      #expect(try await gateway.call(.get, path, as: ann).list("muted").count == 1)
      _ = try await gateway.call(.put, "\(path)/goal/summer%20trip%2F1", as: ann, body: #"{"until":null}"#)
        .expect(.noContent)
      #expect(try await gateway.call(.get, path, as: ann).list("muted").first?["until"] is NSNull)
      #expect(try await gateway.call(.get, path, as: .user()).list("muted").isEmpty)
    }
  }

  @Test func `what has ended by the gateway's clock is muted no more`() async throws {
    let clock = SettableClock()
    try await TestGateway.with(clock: { clock.now }) { gateway in
      let ann = try await Caller.user()
      let past = #"{"until":"\#(clock.now.rfc3339)"}"#
      let refused = try await gateway.call(.put, "\(path)/goal/1", as: ann, body: past)
      #expect(try refused.expectProblem("validation", .badRequest) == ["until"])
      let body = #"{"until":"\#((clock.now + 60).rfc3339)"}"#
      _ = try await gateway.call(.put, "\(path)/goal/1", as: ann, body: body).expect(.noContent)
      #expect(try await gateway.call(.get, path, as: ann).list("muted").count == 1)
      clock.advance(by: 60)
      #expect(try await gateway.call(.get, path, as: ann).list("muted").isEmpty)
    }
  }

  @Test(arguments: [
    ("goal/1", #"{"until":"2020-01-01T00:00:00Z"}"#, ["until"]), ("goal/1", #"{"until":7}"#, ["until"]),
    ("goal/1", "[]", [""]), ("goal/a%07b", "", ["entityId"]),
    (String(repeating: "g", count: 65) + "/1", "", ["entityType"]),
  ])
  func `what cannot be muted is refused by name`(_ entity: String, _ body: String, _ fields: [String]) async throws {
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await gateway.call(.put, "\(path)/\(entity)", as: .user(), body: body)
      #expect(try answer.expectProblem("validation", .badRequest) == fields)
    }
  }
}
