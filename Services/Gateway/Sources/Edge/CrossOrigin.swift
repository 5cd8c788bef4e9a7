import HTTPTypes
import Hummingbird
import ServiceRuntime

/// Lets web pages of allowed origins read answers (Cross-Origin Resource Sharing, https://fetch.spec.whatwg.org/#http-cors-protocol).
///
/// Without allowed origins nothing is said of it, but for what every page may call. Cookies are of no use here, so pages are not allowed to send any.
struct CrossOrigin: Sendable {
  let origins: AllowedOrigins

  private static let methods = "GET, HEAD, POST, PUT, PATCH, DELETE"
  private static let requestHeaders =
    "authorization, content-type, idempotency-key, if-match, if-none-match, traceparent, tracestate, x-device-token, "
    + "x-request-id"
  /// Those of answers that are not readable anyway.
  private static let exposedHeaders =
    "Allow, ETag, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id"

  /// Receipts of pushes: a browser's worker reports them from wherever its page is, and they open nothing.
  private static let pathForAll = "/api/v1/receipts/"

  private static func isForAll(_ request: Request) -> Bool { request.uri.path.hasPrefix(pathForAll) }

  /// The answer to a browser that asks before a page's request, which comes without a token; nil of any other request.
  func preflight(_ request: Request) -> Response? {
    guard request.method == .options, request.headers.contains(.origin),
      request.headers.contains(.accessControlRequestMethod)
    else { return nil }
    if Self.isForAll(request) {
      return Response(
        status: .noContent,
        headers: [
          .accessControlAllowMethods: "POST", .accessControlAllowHeaders: "content-type", .accessControlMaxAge: "600",
        ]
      )
    }
    if origins.isEmpty { return nil }
    guard isAllowed(request) else { return Response(status: .noContent) }
    return Response(
      status: .noContent,
      headers: [
        .accessControlAllowMethods: Self.methods,
        .accessControlAllowHeaders: Self.requestHeaders,
        .accessControlMaxAge: "600",
      ]
    )
  }

  /// Adds what lets an allowed page read the answer to its request.
  func allow(_ request: Request, in headers: inout HTTPFields) {
    if Self.isForAll(request) {
      headers[.accessControlAllowOrigin] = "*"
      return
    }
    guard !origins.isEmpty else { return }
    headers.append(HTTPField(name: .vary, value: "Origin"))
    guard let origin = request.headers[.origin], origins.contains(origin) else { return }
    headers[.accessControlAllowOrigin] = origin
    headers[.accessControlExposeHeaders] = Self.exposedHeaders
  }

  private func isAllowed(_ request: Request) -> Bool { request.headers[.origin].map(origins.contains) ?? false }
}
