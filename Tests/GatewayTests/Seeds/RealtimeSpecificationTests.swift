import Foundation
import HTTPTypes
import SeedModels
import Testing

/// The iOS app of the AllowanceTracker real-time specification, where Belfry answers otherwise than it expects.
@Suite struct RealtimeSpecificationTests {
  private struct UnreadCount: Decodable {
    let count: Int
  }

  /// Line 750 reads a bare number, and no server for it is given. Belfry answers as the push specification's does, line 297.
  @Test func `the unread count is an object, of which the app has to read the count`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      try await gateway.store(2, for: ann.id)
      let answer = try await gateway.call(.get, "/api/v1/notifications/unread-count", as: ann).expect(.ok)
      #expect(throws: DecodingError.self) { try AllowanceTrackerRealtime.read(Int.self, from: answer.body) }
      #expect(try AllowanceTrackerRealtime.read(UnreadCount.self, from: answer.body).count == 2)
    }
  }
}
