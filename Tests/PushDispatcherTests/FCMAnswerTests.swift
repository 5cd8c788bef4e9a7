import Dispatching
import Foundation
import Testing

@testable import PushDispatcher
@testable import Transport

@Suite struct FCMAnswerTests {
  private func answer(_ status: Int, _ body: String, headers: String = "") -> FCMAnswer {
    FCMAnswer(
      HTTPResponse(
        status: status,
        headers: HTTPHeaders(lines: Array(headers.utf8)),
        body: Array(body.utf8),
        httpVersion: "2"
      )
    )
  }

  /// An error as FCM writes it, with its own code in the details.
  private func failure(_ status: Int, _ code: String, canonical: String = "ANY", headers: String = "") -> FCMAnswer {
    answer(
      status,
      """
      {"error":{"code":\(status),"message":"UNREGISTERED is only a word here","status":"\(canonical)","details":[
       {"@type":"type.googleapis.com/google.rpc.Help","links":[]},
       {"@type":"type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode":"\(code)"}]}}
      """,
      headers: headers
    )
  }

  private func retry(_ reason: String, after: Duration? = nil) -> FCMAnswer {
    .result(.retry(reason: reason, first: .seconds(10), after: after, isProviderTrouble: true))
  }

  @Test func `a name is what makes a success`() {
    #expect(
      answer(200, #"{"name":"projects/p/messages/1"}"#) == .result(.delivered(providerID: "projects/p/messages/1"))
    )
    for body in ["", "{}", "<html>", #"{"name":5}"#] {
      #expect(answer(200, body) == retry("FCM answered 200 without a name"))
    }
  }

  @Test func `an invalid argument is refused for good and keeps the token`() {
    #expect(failure(400, "INVALID_ARGUMENT") == .result(.rejected(reason: "INVALID_ARGUMENT")))
    #expect(
      answer(400, #"{"error":{"status":"INVALID_ARGUMENT"}}"#) == .result(.rejected(reason: "INVALID_ARGUMENT"))
    )
  }

  private func invalid(_ violations: String) -> FCMAnswer {
    answer(
      400,
      """
      {"error":{"code":400,"status":"INVALID_ARGUMENT","details":[
       {"@type":"type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode":"INVALID_ARGUMENT"},
       {"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":\(violations)}]}}
      """
    )
  }

  @Test func `an invalid argument whose field is named is in what we wrote`() {
    #expect(
      invalid(#"[{"field":"message.data[0].key","description":"d"},{"field":"message.android.ttl"}]"#)
        == .payloadRefused(fields: ["message.data[0].key", "message.android.ttl"])
    )
    for violations in ["[]", "5", "[{}]", #"[{"field":7}]"#] {
      #expect(invalid(violations) == .payloadRefused(fields: []))
    }
  }

  @Test func `of the fields that are named a few are told, and of each a part`() {
    let field = String(repeating: "x", count: 1_000)
    let violations = (0..<20).map { _ in #"{"field":"\#(field)"}"# }.joined(separator: ",")
    #expect(
      invalid("[\(violations)]")
        == .payloadRefused(fields: Array(repeating: String(repeating: "x", count: 100), count: 5))
    )
  }

  @Test(arguments: ["THIRD_PARTY_AUTH_ERROR", "APNS_AUTH_ERROR"])
  func `a key that Apple or the browser refuses is no fault of the token or of ours`(_ name: String) {
    #expect(failure(401, name) == .result(.rejected(reason: "THIRD_PARTY_AUTH_ERROR")))
  }

  @Test func `any other 401 is about our own access token`() {
    #expect(answer(401, #"{"error":{"status":"UNAUTHENTICATED"}}"#) == .accessTokenRefused)
    #expect(answer(401, "") == .accessTokenRefused)
  }

  @Test func `a token of another sender and an unregistered one are forgotten`() {
    #expect(
      failure(403, "SENDER_ID_MISMATCH") == .result(.rejected(reason: "SENDER_ID_MISMATCH", forgetsTarget: true))
    )
    #expect(failure(404, "UNREGISTERED") == .result(.rejected(reason: "UNREGISTERED", forgetsTarget: true)))
  }

  @Test func `a 403 or 404 that FCM itself did not write forgets nothing`() {
    #expect(
      answer(403, #"{"error":{"status":"PERMISSION_DENIED"}}"#) == .misconfigured(reason: "PERMISSION_DENIED")
    )
    #expect(answer(404, #"{"error":{"status":"NOT_FOUND"}}"#) == .misconfigured(reason: "NOT_FOUND"))
    #expect(answer(404, "<html>UNREGISTERED</html>") == .misconfigured(reason: "HTTP 404"))
  }

  @Test(arguments: [
    ("project:belfry", FCMAnswer.QuotaScope.project), ("projects/123", .project), ("project_number:123", .project),
    ("topic:news", .topic), ("topics/news", .topic), ("TOPIC:news", .topic), ("device:topic:x", .device),
    ("projector:x", .device), ("news", .device), ("", .device), (":", .device),
  ])
  func `whose quota it is decides who waits, and what cannot be read stops nobody else`(
    subject: String,
    scope: FCMAnswer.QuotaScope
  ) {
    let body = """
      {"error":{"code":429,"status":"RESOURCE_EXHAUSTED","details":[
       {"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"subject":"\(subject)"}]},
       {"@type":"type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode":"QUOTA_EXCEEDED"}]}}
      """
    #expect(answer(429, body) == .quota(retryAfter: nil, of: scope))
  }

  @Test func `of several quotas the widest counts`() {
    let body = { (subjects: [String]) in
      let violations = subjects.map { #"{"subject":"\#($0)"}"# }.joined(separator: ",")
      return
        #"{"error":{"details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[\#(violations)]}]}}"#
    }
    #expect(answer(429, body(["device:x", "topic:a", "project:p"])) == .quota(retryAfter: nil, of: .project))
    #expect(answer(429, body(["device:x", "topic:a"])) == .quota(retryAfter: nil, of: .topic))
  }

  @Test(arguments: [("", nil), ("9", 9), ("0", 0), ("11", 11), ("1800", 1_800), ("86400", 86_400), ("soon", nil)])
  func `a quota waits as long as FCM says`(_ header: String, _ seconds: Int?) {
    let wait = seconds.map { Duration.seconds($0) }
    let headers = header.isEmpty ? "" : "Retry-After: \(header)\r\n"
    #expect(failure(429, "QUOTA_EXCEEDED", headers: headers) == .quota(retryAfter: wait, of: .device))
    #expect(answer(429, "<html>", headers: headers) == .quota(retryAfter: wait, of: .device))
  }

  @Test func `a quota is one whatever the status beside it`() {
    #expect(failure(403, "QUOTA_EXCEEDED") == .quota(retryAfter: nil, of: .device))
  }

  @Test func `a failure of FCM is tried again, at the earliest after ten seconds`() {
    #expect(failure(500, "INTERNAL") == retry("INTERNAL"))
    #expect(failure(503, "UNAVAILABLE") == retry("UNAVAILABLE"))
    #expect(failure(503, "UNAVAILABLE", headers: "Retry-After: 120\r\n") == retry("UNAVAILABLE", after: .seconds(120)))
  }

  @Test(arguments: [500, 502, 503, 504])
  func `a failure with an undecodable body is reported by its status`(_ status: Int) {
    for body in ["", "<html>Bad gateway</html>", #"{"error":"text"}"#, "{\"error\":{}}"] {
      #expect(answer(status, body) == retry("HTTP \(status)"))
    }
  }

  @Test(arguments: [301, 400, 405, 413])
  func `any other answer is a refusal reported by its status`(_ status: Int) {
    #expect(answer(status, "nonsense") == .result(.rejected(reason: "HTTP \(status)")))
  }

  @Test func `a code counts only in FCM's own detail, never in a text`() {
    let foreign =
      #"{"error":{"message":"UNREGISTERED","status":"INTERNAL","details":[{"@type":"x","errorCode":"UNREGISTERED"}]}}"#
    #expect(answer(500, foreign) == retry("INTERNAL"))
  }

  // MARK: Retry-After

  @Test(arguments: [("0", 0), ("7", 7), ("86400", 86_400), ("172800", 172_800), ("999999999", 604_800)])
  func `Retry-After is read as seconds, up to a week`(_ text: String, _ seconds: Int) {
    #expect(FCMAnswer.seconds(text) == .seconds(seconds))
  }

  @Test func `Retry-After is read as a date`() throws {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "GMT")
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    let found = try #require(FCMAnswer.seconds(formatter.string(from: Date.now + 300)))
    #expect(found > .seconds(290) && found <= .seconds(300))
    #expect(FCMAnswer.seconds("Wed, 21 Oct 2015 07:28:00 GMT") == .zero)
  }

  @Test func `a date that is far ahead counts as a week`() {
    #expect(FCMAnswer.seconds("Fri, 31 Dec 2999 23:59:59 GMT") == .seconds(604_800))
  }

  @Test(arguments: ["", "-1", "1.5", "soon", "7s", "2026-01-31T08:00:00Z"])
  func `any other Retry-After counts as none`(_ text: String) {
    #expect(FCMAnswer.seconds(text) == nil)
  }
}
