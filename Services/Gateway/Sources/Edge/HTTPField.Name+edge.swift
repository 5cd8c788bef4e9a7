import HTTPTypes

extension HTTPField.Name {
  static let rateLimit = known("RateLimit")
  static let rateLimitPolicy = known("RateLimit-Policy")
  static let crossOriginResourcePolicy = known("Cross-Origin-Resource-Policy")
  static let requestID = known("X-Request-Id")
  static let forwardedFor = known("X-Forwarded-For")
  static let referrerPolicy = known("Referrer-Policy")
  static let robotsTag = known("X-Robots-Tag")

  private static func known(_ name: String) -> Self {
    guard let name = Self(name) else { preconditionFailure("a valid field name") }
    return name
  }
}
