import Dispatching
import Foundation
import Testing

@testable import PushDispatcher
@testable import Transport

@Suite struct APNsAnswerTests {
  private func answer(_ status: Int, _ body: String, headers: String = "") -> APNsAnswer {
    APNsAnswer(
      HTTPResponse(
        status: status,
        headers: HTTPHeaders(lines: Array(headers.utf8)),
        body: Array(body.utf8),
        httpVersion: "2"
      )
    )
  }

  /// Every reason that Apple lists, with its status.
  private static let table: [(Int, String, APNsAnswer)] =
    [
      "BadCollapseId", "BadExpirationDate", "BadMessageId", "BadPriority", "DuplicateHeaders", "InvalidPushType",
      "MissingDeviceToken", "PayloadEmpty",
    ].map { (400, $0, .rejected(reason: $0)) }
    + [
      (404, "BadPath", .rejected(reason: "BadPath")),
      (405, "MethodNotAllowed", .rejected(reason: "MethodNotAllowed")),
      (413, "PayloadTooLarge", .rejected(reason: "PayloadTooLarge")),
      (400, "BadDeviceToken", .tokenRefused(reason: "BadDeviceToken")),
      (400, "DeviceTokenNotForTopic", .tokenRefused(reason: "DeviceTokenNotForTopic")),
      (410, "Unregistered", .gone(reason: "Unregistered", since: nil)),
      (410, "ExpiredToken", .gone(reason: "ExpiredToken", since: nil)),
      (403, "ExpiredProviderToken", .providerTokenExpired),
    ]
    + ["BadTopic", "MissingTopic", "TopicDisallowed"].map {
      (400, $0, .misconfigured(.init(reason: $0, isOfTopic: true)))
    }
    + [
      "InvalidProviderToken", "MissingProviderToken", "Forbidden", "BadCertificate", "BadCertificateEnvironment",
      "BadEnvironmentKeyInToken", "BadEnvironmentKeyIdInToken",
    ].map { (403, $0, .misconfigured(.init(reason: $0))) }
    + [
      (403, "UnrelatedKeyIdInToken", .misconfigured(.init(reason: "UnrelatedKeyIdInToken", needsConnection: true))),
      (429, "TooManyRequests", .retry(reason: "TooManyRequests", first: .seconds(60))),
      (
        429, "TooManyProviderTokenUpdates",
        .postponed(reason: "TooManyProviderTokenUpdates", after: .seconds(60))
      ),
      (500, "InternalServerError", .retry(reason: "InternalServerError", first: .seconds(900), isTrouble: true)),
      (503, "ServiceUnavailable", .retry(reason: "ServiceUnavailable", first: .seconds(900), isTrouble: true)),
      (503, "Shutdown", .retry(reason: "Shutdown", first: .seconds(10), needsConnection: true, isTrouble: true)),
      (400, "IdleTimeout", .retry(reason: "IdleTimeout", first: .seconds(1), needsConnection: true)),
    ]

  @Test func `every reason has its consequence`() {
    #expect(Self.table.count == 33)
    #expect(Set(Self.table.map(\.1)).count == Self.table.count)
    for (status, reason, expected) in Self.table {
      #expect(answer(status, #"{"reason":"\#(reason)"}"#) == expected, "\(reason)")
    }
  }

  @Test func `what is accepted has APNs' id`() {
    #expect(answer(200, "", headers: "apns-id: a-b\r\n") == .accepted(id: "a-b"))
    #expect(answer(200, "") == .accepted(id: nil))
  }

  @Test func `a 410 says since when, in milliseconds`() {
    let since = Date(timeIntervalSince1970: 1_700_000_000.5)
    #expect(
      answer(410, #"{"reason":"Unregistered","timestamp":1700000000500}"#)
        == .gone(reason: "Unregistered", since: since)
    )
    #expect(answer(410, "") == .gone(reason: "HTTP 410", since: nil))
  }

  @Test(arguments: [
    (400, APNsAnswer.rejected(reason: "HTTP 400")), (403, .misconfigured(.init(reason: "HTTP 403"))),
    (429, .retry(reason: "HTTP 429", first: .seconds(60))),
    (502, .retry(reason: "HTTP 502", first: .seconds(900), isTrouble: true)),
    (301, .rejected(reason: "HTTP 301")),
  ])
  func `an answer that cannot be read counts by its status`(status: Int, expected: APNsAnswer) {
    for body in ["", "<html>", #"{"reason":5}"#] { #expect(answer(status, body) == expected) }
  }

  @Test func `a reason that Apple adds counts by its status, and keeps its name`() {
    #expect(answer(403, #"{"reason":"NewRule"}"#) == .misconfigured(.init(reason: "NewRule")))
    #expect(answer(400, #"{"reason":"NewRule"}"#) == .rejected(reason: "NewRule"))
  }

  @Test func `nothing is tried before APNs says`() {
    #expect(
      answer(503, #"{"reason":"ServiceUnavailable"}"#, headers: "retry-after: 1800\r\n")
        == .retry(reason: "ServiceUnavailable", first: .seconds(900), after: .seconds(1_800), isTrouble: true)
    )
    #expect(
      answer(429, #"{"reason":"TooManyProviderTokenUpdates"}"#, headers: "retry-after: 300\r\n")
        == .postponed(reason: "TooManyProviderTokenUpdates", after: .seconds(300))
    )
  }

  @Test func `what may have been taken waits longer than what was not, and a stop counts as no attempt`() {
    let lost = TransportError(.connectionLost, isTransient: true, mayHaveBeenProcessed: true)
    let refused = TransportError(.cannotConnect, isTransient: true)
    #expect(APNsAnswer(lost) == .retry(reason: "transport: \(lost)", first: .seconds(10)))
    #expect(APNsAnswer(refused) == .retry(reason: "transport: \(refused)", first: .seconds(1), isTrouble: true))
    let full = TransportError.overloaded
    #expect(APNsAnswer(full) == .retry(reason: "transport: \(full)", first: .seconds(1)))
    #expect(APNsAnswer(TransportError.cancelled) == .abandoned)
    let late = TransportError(.timeout, isTransient: true, mayHaveBeenProcessed: true)
    #expect(APNsAnswer(late) == .retry(reason: "transport: \(late)", first: .seconds(10), isTrouble: true))
  }
}
