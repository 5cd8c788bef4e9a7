import HTTPTypes
import Testing

@testable import Gateway

/// What every body is held to, whatever the route.
@Suite struct BodyTests {
  private static let path = "/api/v1/groups/g"

  @Test(arguments: [
    "text/plain", "application/x-www-form-urlencoded", "application/jsonp", "text/json", "json", "+json", "",
    "multipart/form-data; boundary=application/json",
  ])
  func `a body that says it is no JSON is not read as such`(_ type: String) async throws {
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await gateway.call(
        .put,
        Self.path,
        as: .service(),
        headers: [.contentType: type],
        body: #"{"members":[]}"#
      )
      try answer.expectProblem("unsupported-media-type", .unsupportedMediaType)
    }
  }

  @Test(arguments: [
    "application/json", "Application/JSON", "application/json; charset=utf-8", "application/json;charset=utf-8",
    "application/json ; charset=utf-8", "application/vnd.example+json", "application/problem+json; v=1",
  ])
  func `every spelling of JSON is read`(_ type: String) async throws {
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await gateway.call(
        .put,
        Self.path,
        as: .service(),
        headers: [.contentType: type],
        body: "{}"
      )
      #expect(try answer.expectProblem("validation", .badRequest) == ["members"])
    }
  }

  @Test func `one Content-Type of several is enough to refuse a body, and none is needed`() {
    var headers: HTTPFields = [:]
    #expect(RequestBody.isJSON(headers))
    headers.append(HTTPField(name: .contentType, value: "application/json"))
    #expect(RequestBody.isJSON(headers))
    headers.append(HTTPField(name: .contentType, value: "text/plain"))
    #expect(!RequestBody.isJSON(headers))
  }

  @Test func `without a body nobody asks what it would be`() async throws {
    try await TestGateway.with { gateway in
      let headers: HTTPFields = [.contentType: "text/plain"]
      _ = try await gateway.call(.post, "/api/v1/notifications/read", as: .user(), headers: headers).expect(.ok)
    }
  }

  @Test(arguments: [
    ("/api/v1/notifications", HTTPRequest.Method.post, 262_144), ("/api/v1/schedules/k", .put, 65_536),
    (Self.path, .put, 10_485_760),
  ])
  func `who sends too much is told the limit of what it was sent to`(
    _ path: String,
    _ method: HTTPRequest.Method,
    _ limit: Int
  ) async throws {
    try await TestGateway.withoutDatabase { gateway in
      let body = String(repeating: " ", count: limit + 1)
      let answer = try await gateway.call(method, path, as: .service(), body: body)
      try answer.expectProblem("too-large", .contentTooLarge)
      #expect(try answer.json()["detail"] as? String == "at most \(limit) bytes are allowed")
    }
  }
}
