import Foundation
import Hummingbird

/// Refuses paths that name nothing in whatever way they are read: broken escapes, bytes that are no UTF-8, and NUL, which
/// PostgreSQL's text cannot hold. And a DELETE that ends in a slash: it named something below, which a URL library folded, or which was
/// empty; what stands above is not to be deleted for it.
struct PathMiddleware<Context: RequestContext>: RouterMiddleware {
  func handle(
    _ request: Request,
    context: Context,
    next: @concurrent (Request, Context) async throws -> Response
  ) async throws -> Response {
    guard Self.isReadable(request.uri.path) else {
      throw Problem(.badRequest, .malformed, "The request cannot be understood", detail: "the path is malformed")
    }
    if request.method == .delete, request.uri.path.utf8.last == UInt8(ascii: "/") {
      throw Problem(
        .notFound,
        .notFound,
        "There is no such resource",
        detail: "the path names nothing after its last slash"
      )
    }
    return try await next(request, context)
  }

  static func isReadable(_ path: String) -> Bool {
    // Nearly every path is plain.
    guard path.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 >= 0x80 || $0 == 0 }) else { return true }
    // The server has replaced raw bytes that are no UTF-8 by U+FFFD.
    guard let decoded = path.removingPercentEncoding, !path.unicodeScalars.contains("\u{FFFD}") else { return false }
    return !decoded.utf8.contains(0)
  }
}
