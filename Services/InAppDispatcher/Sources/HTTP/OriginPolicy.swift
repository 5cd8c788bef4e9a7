import NIOHTTP1
import ServiceRuntime

/// Which web pages may use the hub: those of allowed origins, and those of the hub's own host.
struct OriginPolicy: Sendable {
  let allowed: AllowedOrigins

  /// Whether a WebSocket may be opened. Programs that are no browsers send no origin.
  func accepts(_ headers: HTTPHeaders) -> Bool {
    guard let origin = headers.first(name: "Origin")?.lowercased() else { return true }
    if allowed.contains(origin) { return true }
    guard let host = headers.first(name: "Host")?.lowercased(), let scheme = origin.firstRange(of: "://") else {
      return false
    }
    return origin[scheme.upperBound...] == host
  }

  /// The headers that let an allowed page read the answer; never a wildcard, because credentials are involved.
  func headers(for request: HTTPHeaders) -> HTTPHeaders {
    var headers: HTTPHeaders = ["Vary": "Origin"]
    guard let origin = request.first(name: "Origin"), allowed.contains(origin) else { return headers }
    headers.add(name: "Access-Control-Allow-Origin", value: origin)
    headers.add(name: "Access-Control-Allow-Credentials", value: "true")
    return headers
  }

  /// The answer to OPTIONS, which comes without a token.
  func preflight(for request: HTTPHeaders) -> HTTPAnswer {
    guard headers(for: request).contains(name: "Access-Control-Allow-Origin") else { return .empty(.noContent) }
    return HTTPAnswer.empty(.noContent)
      .adding("Access-Control-Allow-Methods", "GET, POST, DELETE")
      .adding("Access-Control-Allow-Headers", "authorization, content-type, x-requested-with, x-signalr-user-agent")
      .adding("Access-Control-Max-Age", "600")
  }
}
