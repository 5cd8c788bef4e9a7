import Foundation
import HTTPTypes
import NotificationModel
import TestSupport
import Testing

@testable import Gateway

/// `PUT /api/v1/notifications/preferences/quiet-hours`
@Suite struct QuietHoursRouteTests {
  private let path = "/api/v1/notifications/preferences/quiet-hours"

  private func hours(_ answer: Answer) throws -> [String?] {
    let json = try answer.expect(.ok).json()
    return [
      (json["quietHoursEnabled"] as? Bool).map(String.init), json["quietHoursStart"] as? String,
      json["quietHoursEnd"] as? String, json["timezone"] as? String,
    ]
  }

  @Test func `they are answered as HH mm ss, however they were put, and the zone with them`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      let body = #"{"enabled":true,"startTime":"22:00","endTime":"07:30:15","timezone":"Europe/Berlin"}"#
      let first = try await gateway.call(.put, path, as: ann, body: body)
      #expect(try hours(first) == ["true", "22:00:00", "07:30:15", "Europe/Berlin"])
      let read = try await gateway.call(.get, "/api/v1/notifications/preferences", as: ann)
      #expect(read.text == first.text)
      let second = try await gateway.call(.put, path, as: ann, body: #"{"enabled":true,"endTime":"08:00"}"#)
      #expect(try hours(second) == ["true", "22:00:00", "08:00:00", "Europe/Berlin"])
      let off = try await gateway.call(.put, path, as: ann, body: #"{"enabled":false}"#)
      #expect(try hours(off) == ["false", "22:00:00", "08:00:00", "Europe/Berlin"])
      let other = try await gateway.call(.get, "/api/v1/notifications/preferences", as: .user())
      #expect(try hours(other) == ["false", nil, nil, nil])
    }
  }

  @Test(arguments: [
    ("{}", ["enabled"]), (#"{"enabled":true,"startTime":"24:00","endTime":"7"}"#, ["startTime", "endTime"]),
    (#"{"enabled":"yes","startTime":2200}"#, ["enabled", "startTime"]),
    (#"{"enabled":true,"startTime":"22:00","endTime":"07:00","timezone":"Mars/Olympus"}"#, ["timezone"]),
  ])
  func `hours that cannot be read are refused with every field's name`(
    _ body: String,
    _ fields: [String]
  ) async throws {
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await gateway.call(.put, path, as: .user(), body: body)
      #expect(try answer.expectProblem("validation", .badRequest) == fields)
    }
  }

  @Test func `hours without both times cannot be on, and equal times mean nothing`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      for (body, fields) in [
        (#"{"enabled":true}"#, ["startTime", "endTime"]), (#"{"enabled":true,"startTime":"22:00"}"#, ["endTime"]),
        (#"{"enabled":true,"startTime":"22:00","endTime":"22:00:00"}"#, ["endTime"]),
      ] {
        let answer = try await gateway.call(.put, path, as: ann, body: body)
        #expect(try answer.expectProblem("validation", .badRequest) == fields)
      }
      let read = try await gateway.call(.get, "/api/v1/notifications/preferences", as: ann)
      #expect(try hours(read) == ["false", nil, nil, nil])
      _ = try await gateway.call(.put, path, as: ann, body: #"{"enabled":true,"startTime":"22:00","endTime":"07:00"}"#)
        .expect(.ok)
      // Against what is stored.
      let equal = try await gateway.call(.put, path, as: ann, body: #"{"enabled":true,"startTime":"07:00"}"#)
      #expect(try equal.expectProblem("validation", .badRequest) == ["endTime"])
    }
  }
}
