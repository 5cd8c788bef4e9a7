import Foundation
import Testing

@testable import PushDispatcher
@testable import Transport

@Suite struct WebPushAnswerTests {
  private func answer(_ status: Int, _ headers: String = "", _ body: String = "") -> WebPushAnswer {
    WebPushAnswer(ScriptedPushService.response(.init(status: status, headers: headers, body: body)))
  }

  @Test(arguments: [200, 201, 202, 204]) func `whatever says yes has accepted it`(_ status: Int) {
    #expect(answer(status) == .accepted(location: nil))
    #expect(
      answer(status, "location: https://push.example/m/1\r\n") == .accepted(location: "https://push.example/m/1")
    )
    #expect(answer(status, "Location: \(String(repeating: "x", count: 501))\r\n") == .accepted(location: nil))
  }

  @Test(arguments: [404, 410]) func `a subscription that is no more is told by its status`(_ status: Int) {
    #expect(answer(status) == .gone(reason: "HTTP \(status)"))
  }

  @Test(arguments: [400, 401, 403]) func `what is about our signature or request is no fault of the device`(
    _ status: Int
  ) {
    #expect(answer(status) == .refused(reason: "HTTP \(status)"))
    let apple = answer(status, "", #"{"reason":"BadJwtToken"}"#)
    #expect(apple == .refused(reason: "HTTP \(status): BadJwtToken"))
    let mozilla = answer(status, "", #"{"code":401,"errno":109,"error":"Unauthorized","message":"Invalid"}"#)
    #expect(mozilla == .refused(reason: "HTTP \(status): errno 109"))
    #expect(answer(status, "", "<html>") == .refused(reason: "HTTP \(status)"))
  }

  @Test func `too many are told by two statuses, with the time to wait in seconds or as a date`() {
    #expect(answer(429, "Retry-After: 120\r\n") == .tooMany(reason: "HTTP 429", after: .seconds(120)))
    #expect(answer(429) == .tooMany(reason: "HTTP 429", after: nil))
    #expect(
      answer(406, "X-WNS-Error-Description: channel throttled\r\n")
        == .tooMany(reason: "HTTP 406: channel throttled", after: nil)
    )
    #expect(
      answer(429, "Retry-After: Thu, 01 Jan 2026 00:00:00 GMT\r\n") == .tooMany(reason: "HTTP 429", after: .zero)
    )
  }

  @Test func `trouble of the push service is tried later, not before it says`() {
    #expect(
      answer(503, "Retry-After: 120\r\n")
        == .retry(reason: "HTTP 503", first: .seconds(60), after: .seconds(120), isTrouble: true)
    )
    #expect(answer(500) == .retry(reason: "HTTP 500", first: .seconds(60), isTrouble: true))
    #expect(answer(408) == .retry(reason: "HTTP 408", first: .seconds(60)))
  }

  @Test func `a push that is too large is one to shorten, and what else there is is final`() {
    #expect(answer(413) == .tooLarge)
    for status in [301, 302, 307, 308, 402, 405, 415, 418] {
      #expect(answer(status, "Location: http://127.0.0.1/\r\n") == .rejected(reason: "HTTP \(status)"))
    }
  }

  @Test func `a reason is short and of one line, whatever the push service says`() {
    let long = answer(418, "", #"{"reason":"\#(String(repeating: "é", count: 10_000))\n"}"#)
    #expect(long == .rejected(reason: "HTTP 418: \(String(repeating: "?", count: 100))"))
    #expect(answer(418, "", #"{"reason":""}"#) == .rejected(reason: "HTTP 418"))
    #expect(answer(418, "", #"{"reason":7,"errno":"x"}"#) == .rejected(reason: "HTTP 418"))
  }

  @Test func `an error on the way is tried again, soon if nothing was sent`() {
    func first(_ error: TransportError) -> (Duration?, Bool) {
      guard case .retry(_, let first, nil, let isTrouble) = WebPushAnswer(error) else { return (nil, false) }
      return (first, isTrouble)
    }
    #expect(first(TransportError(.connectionLost, isTransient: true)) == (.seconds(1), false))
    #expect(first(.overloaded) == (.seconds(1), false))
    let sent = TransportError(.connectionLost, isTransient: true, mayHaveBeenProcessed: true)
    #expect(first(sent) == (.seconds(10), false))
    let late = TransportError(.timeout, isTransient: true, mayHaveBeenProcessed: true)
    #expect(first(late) == (.seconds(10), true))
    #expect(first(TransportError(.addressNotPublic, isTransient: true)) == (.seconds(60), false))
    #expect(WebPushAnswer(.cancelled) == .abandoned)
    #expect(WebPushAnswer(.invalid("url")) == .rejected(reason: "transport: invalid request: url"))
  }
}
