import HTTPTypes
import Hummingbird

/// Keeps web pages of others away from a port that has no other lock: a page whose name was made to point here (DNS rebinding)
/// sends its own name as `Host`, and any other page sends its `Origin`.
struct LocalCallers<Context: RequestContext>: RouterMiddleware {
  /// Besides this machine's own names.
  let names: [String]

  func handle(
    _ request: Request,
    context: Context,
    next: @concurrent (Request, Context) async throws -> Response
  ) async throws -> Response {
    try check(request.head.authority, request.headers)
    return try await next(request, context)
  }

  /// - Parameter authority: The request's `Host`.
  func check(_ authority: String?, _ headers: HTTPFields) throws(ControlError) {
    guard let authority, let host = Self.host(of: authority),
      (["127.0.0.1", "localhost", "[::1]"] + names).contains(host)
    else {
      throw ControlError(
        status: .misdirectedRequest,
        field: "Host",
        message: "this is the simulator of 127.0.0.1 and localhost, and answers to no other name"
      )
    }
    if let origin = headers[.origin], origin.lowercased() != "http://\(authority.lowercased())" {
      throw ControlError(
        status: .forbidden,
        field: "Origin",
        message: "pages of other origins may not ask the simulator"
      )
    }
    // Links may lead here; what other pages embed or fetch may not. Pictures and scripts come without an origin.
    if headers[.secFetchSite] == "cross-site", headers[.secFetchMode] != "navigate" {
      throw ControlError(
        status: .forbidden,
        field: "Sec-Fetch-Site",
        message: "other pages may not embed the simulator"
      )
    }
  }

  /// The name without its port; nil if it is none.
  private static func host(of authority: String) -> String? {
    authority.lowercased().wholeMatch(of: /(\[[0-9a-f:.]+\]|[^:\/?#@\[\]]+)(:[0-9]{1,5})?/).map { String($0.1) }
  }
}

extension HTTPField.Name {
  fileprivate static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")!
  fileprivate static let secFetchMode = HTTPField.Name("Sec-Fetch-Mode")!
}
