import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Gateway

/// Paths that name nothing.
@Suite struct PathTests {
  @Test(arguments: ["%00", "a%00b", "%", "%4", "%zz", "a%C3", "%FF", "%ED%A0%80", "%C0%80"])
  func `NUL, broken escapes and bytes that are no UTF-8 in a path are malformed`(_ piece: String) async throws {
    try await TestGateway.withoutDatabase { gateway in
      let shop = try await Caller.service()
      for path in ["groups/\(piece)", "users/\(piece)", "\(piece)/devices", "nothing/\(piece)"] {
        let answer = try await gateway.call(.put, "/api/v1/\(path)", as: shop, body: #"{"members":[]}"#)
        try answer.expectProblem("malformed", .badRequest)
      }
    }
  }
}
