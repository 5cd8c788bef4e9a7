import NIOHTTP1
import SignalRProtocol

/// A complete response.
struct HTTPAnswer {
  var status: HTTPResponseStatus
  var headers: HTTPHeaders
  var body: [UInt8]

  private init(_ status: HTTPResponseStatus, contentType: String?, body: [UInt8]) {
    self.status = status
    self.body = body
    headers = contentType.map { ["Content-Type": $0] } ?? [:]
  }

  static func text(_ status: HTTPResponseStatus, _ text: String) -> HTTPAnswer {
    HTTPAnswer(status, contentType: "text/plain; charset=utf-8", body: Array(text.utf8))
  }

  static func json(_ body: [UInt8], status: HTTPResponseStatus = .ok) -> HTTPAnswer {
    HTTPAnswer(status, contentType: "application/json", body: body)
  }

  /// What a GET of long polling has waited for.
  static func polled(_ body: [UInt8]) -> HTTPAnswer {
    HTTPAnswer(.ok, contentType: "application/octet-stream", body: body).adding("Cache-Control", "no-cache,no-store")
  }

  static func empty(_ status: HTTPResponseStatus) -> HTTPAnswer { HTTPAnswer(status, contentType: nil, body: []) }

  static func methodNotAllowed(_ allowed: String) -> HTTPAnswer {
    text(.methodNotAllowed, "Method not allowed").adding("Allow", allowed)
  }

  static func unauthorized(_ reason: String) -> HTTPAnswer {
    text(.unauthorized, reason)
      .adding("WWW-Authenticate", #"Bearer error="invalid_token", error_description="\#(reason)""#)
  }

  static func tooLarge(_ limit: Int) -> HTTPAnswer {
    text(.payloadTooLarge, "The body is too large; at most \(limit) bytes are taken")
  }

  static func tooMany(_ reason: String) -> HTTPAnswer {
    text(.tooManyRequests, reason).adding("Retry-After", "10")
  }

  static func unavailable(_ reason: String) -> HTTPAnswer {
    text(.serviceUnavailable, reason).adding("Retry-After", "2")
  }

  func adding(_ name: String, _ value: String) -> HTTPAnswer {
    var copy = self
    copy.headers.replaceOrAdd(name: name, value: value)
    return copy
  }
}
