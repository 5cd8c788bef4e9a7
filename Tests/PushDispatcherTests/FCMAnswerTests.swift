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
       {"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":[]},
       {"@type":"type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode":"\(code)"}]}}
      """,
      headers: headers
    )
  }

  private func retry(_ reason: String, after: Duration? = nil) -> FCMAnswer {
    .result(.retry(reason: reason, first: .seconds(10), after: after))
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

  @Test func `a key that Apple or the browser refuses is no fault of the token or of ours`() {
    #expect(failure(401, "THIRD_PARTY_AUTH_ERROR") == .result(.rejected(reason: "THIRD_PARTY_AUTH_ERROR")))
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
    ("project:belfry", FCMAnswer.QuotaScope.project), ("device:x", .target), ("topic:news", .target), ("", .target),
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
    #expect(answer(429, body) == .quota(retryAfter: .seconds(60), of: scope))
  }

  @Test func `a quota slows the target down for as long as FCM says, else a minute, at most ten`() {
    #expect(failure(429, "QUOTA_EXCEEDED") == .quota(retryAfter: .seconds(60), of: .target))
    #expect(
      failure(429, "QUOTA_EXCEEDED", headers: "Retry-After: 7\r\n") == .quota(retryAfter: .seconds(7), of: .target)
    )
    #expect(answer(429, "<html>", headers: "retry-after: 7\r\n") == .quota(retryAfter: .seconds(7), of: .target))
    #expect(answer(429, "", headers: "retry-after: 86400\r\n") == .quota(retryAfter: .seconds(86_400), of: .target))
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
  func `Retry-After is read as seconds, up to a day`(_ text: String, _ seconds: Int) {
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

  @Test func `a date that is far ahead counts as a day`() {
    #expect(FCMAnswer.seconds("Fri, 31 Dec 2999 23:59:59 GMT") == .seconds(604_800))
  }

  @Test(arguments: ["", "-1", "1.5", "soon", "7s", "2026-01-31T08:00:00Z"])
  func `any other Retry-After counts as none`(_ text: String) {
    #expect(FCMAnswer.seconds(text) == nil)
  }
}
