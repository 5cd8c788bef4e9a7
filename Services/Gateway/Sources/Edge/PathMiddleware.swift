import Foundation
import Hummingbird

/// Refuses paths that name nothing in whatever way they are read: broken escapes, bytes that are no UTF-8, and NUL, which
/// PostgreSQL's text cannot hold.
struct PathMiddleware<Context: RequestContext>: RouterMiddleware {
  func handle(
    _ request: Request,
    context: Context,
    next: @concurrent (Request, Context) async throws -> Response
  ) async throws -> Response {
    guard Self.isReadable(request.uri.path) else {
      throw Problem(.badRequest, .malformed, "The request cannot be understood", detail: "the path is malformed")
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
