import HTTPTypes

/// What a ``RateLimiter`` says of one request.
struct Quota: Sendable {
  let policy: RateLimitPolicy
  let isAdmitted: Bool
  /// Requests that would pass now.
  let remaining: Int

  /// Adds `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10); an answer may have those of several policies.
  func add(to headers: inout HTTPFields) {
    headers.append(HTTPField(name: .rateLimitPolicy, value: policy.headerValue))
    let value = "\(policy.item);r=\(remaining);t=\(RateLimitPolicy.reset)"
    headers.append(HTTPField(name: .rateLimit, value: value))
  }
}

/// How much is allowed, to whom.
struct RateLimitPolicy: Sendable {
  /// In how many seconds there is more; with at least one request a second, that is the next.
  static let reset = 1

  /// A structured field's string (RFC 9651).
  let item: String
  /// `q` requests in `w` seconds: what a full bucket has, and in what time an empty one is full.
  let headerValue: String

  init(name: String, rate: Int) {
    item = "\"\(name)\""
    headerValue = "\(item);q=\(rate * 2);w=2"
  }
}

extension Problem {
  /// 429 with `Retry-After` and what is allowed.
  static func tooManyRequests(_ quota: Quota) -> Problem {
    var problem = Problem(.tooManyRequests, .tooManyRequests, "Too many requests")
    problem.extraHeaders[.retryAfter] = String(RateLimitPolicy.reset)
    quota.add(to: &problem.extraHeaders)
    return problem
  }
}
