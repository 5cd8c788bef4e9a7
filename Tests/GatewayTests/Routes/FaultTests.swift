import Foundation
import HTTPTypes
import Logging
import NotificationModel
import Postgres
import TestSupport
import Testing

@testable import Gateway

/// What is not the caller's fault.
@Suite struct FaultTests {
  @Test func `without the database a read says when to come again`() async throws {
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await gateway.call(.get, "/api/v1/notifications/unread-count", as: .user())
      try answer.expectProblem("unavailable", .serviceUnavailable)
      #expect(answer.headers[.retryAfter] != nil)
    }
  }

  @Test func `an error of our own tells the caller nothing, and the log all`() async throws {
    let log = LogRecorder()
    try await TestGateway.with(logger: log.logger) { gateway in
      _ = try await gateway.database.query("DROP TABLE devices")
      let answer = try await gateway.call(.get, "/api/v1/devices", as: .user())
      try answer.expectProblem("internal-error", .internalServerError)
      #expect(!answer.text.contains("devices"))
    }
    #expect(log.all.contains { $0.level == .error && $0.text.contains("devices") })
  }
}
