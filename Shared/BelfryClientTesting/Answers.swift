import BelfryClient
import BelfryJSON
import Foundation

/// Answers in the forms that the gateway has.
extension HTTPResponse {
  static let noContent = HTTPResponse(status: 204)

  /// - Parameter etag: The version, quoted.
  static func json(_ json: JSONValue, etag: String? = nil, cacheControl: String = "no-store") -> HTTPResponse {
    var headers = ["Content-Type": "application/json", "Cache-Control": cacheControl]
    headers["ETag"] = etag
    return HTTPResponse(status: 200, headers: headers, body: Data(JSONWriter.text(json).utf8))
  }

  /// Source: `Problem` of `openapi.yaml`.
  static func problem(
    _ status: Int,
    detail: String? = nil,
    errors: [(field: String, message: String)] = [],
    retryAfter: Duration? = nil
  ) -> HTTPResponse {
    let (type, title) = kind(status)
    var members = [
      JSONMember("type", "urn:belfry:problem:\(type)"), JSONMember("title", title), JSONMember("status", status),
    ]
    let listed = errors.map { JSONValue.object([JSONMember("field", $0.field), JSONMember("message", $0.message)]) }
    let texts = errors.map { "\($0.field): \($0.message)" }.joined(separator: "; ")
    if let detail = detail ?? (errors.isEmpty ? nil : texts) { members.append(JSONMember("detail", detail)) }
    if !errors.isEmpty { members.append(JSONMember("errors", .array(listed))) }
    var headers = ["Content-Type": "application/problem+json"]
    if status == 401 { headers["WWW-Authenticate"] = "Bearer" }
    if status == 429 || status == 503 || retryAfter != nil {
      headers["Retry-After"] = String(Int(((retryAfter ?? .seconds(1)) / .seconds(1)).rounded(.up)))
    }
    return HTTPResponse(status: status, headers: headers, body: Data(JSONWriter.text(.object(members)).utf8))
  }

  static let notFound = problem(404)

  /// The body or the parameters are wrong.
  static func invalid(_ field: String, _ message: String) -> HTTPResponse {
    problem(400, errors: [(field, message)])
  }

  /// A page of somebody else's, such as a captive portal's.
  static let foreign = HTTPResponse(
    status: 200,
    headers: ["Content-Type": "text/html"],
    body: Data("<!doctype html><title>Sign in to the network</title>".utf8)
  )

  private static func kind(_ status: Int) -> (type: String, title: String) {
    switch status {
    case 400: ("validation", "The request is invalid")
    case 401: ("unauthorized", "Authentication is needed")
    case 403: ("forbidden", "This is not allowed")
    case 404: ("not-found", "There is no such resource")
    case 405: ("method-not-allowed", "The method is not allowed")
    case 412: ("precondition-failed", "It was changed, or is not there")
    case 413: ("too-large", "The body is too large")
    case 429: ("too-many-requests", "Too many requests")
    case 500: ("internal-error", "Something went wrong; it has been logged")
    case 503: ("unavailable", "Not available; try again later")
    case 400..<500: ("malformed", "The request cannot be understood")
    default: ("internal-error", "Something went wrong")
    }
  }
}

extension HTTPRequest {
  /// Nil where there is none; `JSONValue.null` where it is no JSON.
  var json: JSONValue? {
    guard let body, !body.isEmpty else { return nil }
    return (try? JSONParser.parse(Array(body))) ?? .null
  }

  /// The path's segments, unescaped.
  var segments: [String] {
    url.path(percentEncoded: true).split(separator: "/").map { $0.removingPercentEncoding ?? String($0) }
  }

  /// The first value of each name.
  var query: [String: String] {
    let items = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? []
    return Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
  }

  /// By a name in any case.
  func header(_ name: String) -> String? { headers.first { $0.key.lowercased() == name.lowercased() }?.value }
}
