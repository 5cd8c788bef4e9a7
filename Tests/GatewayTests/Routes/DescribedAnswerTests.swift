import Foundation
import TestSupport
import Testing

/// That the judge of every answer in these tests would see one that is not as described.
@Suite struct DescribedAnswerTests {
  private typealias Exchange = DescriptionJudge.Exchange

  /// An answer of the gateway, as described.
  private static let count = Exchange(
    method: "GET",
    path: "/api/v1/notifications/unread-count?x=1",
    status: 200,
    headers: [("content-type", "application/json"), ("Cache-Control", "no-store"), ("Content-Length", "22")],
    body: Data(#"{"count":1,"unseen":0}"#.utf8)
  )

  private static let list = Exchange(
    method: "GET",
    path: "/api/v1/notifications/muted",
    status: 200,
    headers: [("Content-Type", "application/json; charset=utf-8")],
    body: Data(
      #"{"muted":[{"entityType":"goal","entityId":"7","until":"2026-11-21T05:44:10.255Z"}],"hasMore":false}"#.utf8
    )
  )

  private static let refused = Exchange(
    method: "POST",
    path: "/api/v1/devices",
    status: 429,
    headers: [("content-type", "application/problem+json"), ("retry-after", "1")],
    body: Data(#"{"type":"urn:belfry:problem:too-many-requests","title":"Too many requests","status":429}"#.utf8)
  )

  private static let history = Exchange(
    method: "GET",
    path: "/api/v1/admin/notifications/01a1fca2-310f-7929-a921-a980b62c7fa3?user=1",
    status: 200,
    headers: [("content-type", "application/json")],
    body: Data(
      #"""
      {"id":"01a1fca2-310f-7929-a921-a980b62c7fa3","userId":"4f9c1c1e-0001-4000-8000-000000000001",
      "requestId":"01a1fca2-310f-756e-8d6a-d49da1198ee2","type":10,"typeName":null,"createdAt":"2026-11-21T05:44:10.255Z",
      "expiresAt":"2026-12-21T05:44:10.255Z","readAt":null,"timezone":"UTC","localTime":"x","channels":[{"channel":2,
      "channelName":"push","decision":"skip","reason":"muted","until":null,"rule":null,"words":"w","deliveries":[]}]}
      """#.utf8
    )
  )

  private static func changed(_ exchange: Exchange, _ change: (inout Exchange) -> Void) -> Exchange {
    var exchange = exchange
    change(&exchange)
    return exchange
  }

  private static func replacing(_ text: String, with other: String, in exchange: Exchange) -> Exchange {
    changed(exchange) { $0.body = Data(String(decoding: $0.body, as: UTF8.self).replacing(text, with: other).utf8) }
  }

  @Test func `answers as described pass`() async throws {
    let deleted = Exchange(method: "DELETE", path: "/api/v1/devices/current", status: 204, headers: [], body: Data())
    for exchange in [Self.count, Self.list, Self.refused, Self.history, deleted] {
      #expect(try await DescriptionJudge.shared.objections(to: exchange) == [], "\(exchange.path)")
    }
  }

  @Test func `what is not described is reported with path, status and place`() async throws {
    let cases: [(Exchange, String)] = [
      (Self.changed(Self.count) { $0.status = 202 }, "unread-count answered 202: this status is not described"),
      (Self.changed(Self.count) { $0.status = 404 }, "this status is not described"),
      (Self.changed(Self.count) { $0.path = "/api/v1/nothing" }, "a path that is not described answered 200"),
      (Self.changed(Self.count) { $0.path = "/metrics" }, "a path that is not described answered 200"),
      (Self.changed(Self.count) { $0.method = "PUT" }, "does not have answered 200"),
      (Self.changed(Self.count) { $0.headers[0].value = "text/html" }, "Content-Types ['application/json']"),
      (Self.changed(Self.count) { $0.headers.removeFirst() }, "Content-Types ['application/json'] it has []"),
      (Self.changed(Self.count) { $0.headers.append(("X-Powered-By", "tea")) }, "header x-powered-by is not described"),
      (Self.changed(Self.count) { $0.headers[1].value = "private" }, "header cache-control: $:"),
      (Self.changed(Self.count) { $0.body = Data() }, "the body is no application/json"),
      (Self.replacing("1", with: "-1", in: Self.count), "$.count: -1 is less than the minimum"),
      (Self.replacing("1", with: "1.5", in: Self.count), "$.count: 1.5 is not of type 'integer'"),
      (Self.replacing(#""count":1,"#, with: "", in: Self.count), "'count' is a required property"),
      (Self.replacing("{", with: #"{"counts":1,"#, in: Self.count), "('counts' was unexpected)"),
      (Self.replacing("{", with: #"{"count":1,"#, in: Self.count), "a member is there twice"),
      (Self.replacing("Z", with: "", in: Self.list), "$.muted[0].until"),
      (Self.replacing(#""goal""#, with: "null", in: Self.list), "$.muted[0].entityType"),
      (Self.replacing(#""until""#, with: #""more":1,"until""#, in: Self.list), "$.muted[0]: Additional properties"),
      (Self.replacing("429", with: "400", in: Self.refused), "$.status: 400 is not the status"),
      (Self.replacing("too-many", with: "two-many", in: Self.refused), "$.type: "),
      (Self.changed(Self.refused) { $0.headers.removeLast() }, "the header retry-after is missing"),
      (Self.changed(Self.refused) { $0.headers[1].value = "soon" }, "the header retry-after: $:"),
      (
        Self.replacing(#""words""#, with: #""word":"","words""#, in: Self.history),
        "$.channels[0]: Unevaluated properties"
      ),
    ]
    for (exchange, text) in cases {
      let objections = try await DescriptionJudge.shared.objections(to: exchange)
      #expect(objections.count == 1 && objections[0].contains(text), "\(text): \(objections)")
    }
  }
}
