import HTTPTypes
import Hummingbird

/// One method of one path: who may call it, and what answers.
struct Route: Sendable {
  typealias Handler = @Sendable (Request, GatewayContext) async throws -> Response

  let method: HTTPRequest.Method
  /// From the root, with captures as in `/api/v1/users/:id`. Two paths name a capture at the same place alike.
  let path: String
  let access: Access
  let handler: Handler

  /// What is answered: whoever may GET may also ask for the head alone (RFC 9110, 9.3.2).
  var methods: [HTTPRequest.Method] { method == .get ? [.get, .head] : [method] }

  /// - Parameters:
  ///   - path: Below `/api/v1`, unless it begins with a slash.
  ///   - handler: Is asked only by whom `access` admits.
  init(_ method: HTTPRequest.Method, _ path: String, _ access: Access, _ handler: @escaping Handler) {
    self.method = method
    self.path = path.hasPrefix("/") ? path : "/api/v1/\(path)"
    self.access = access
    self.handler = handler
  }

  static func get(_ path: String, _ access: Access, _ handler: @escaping Handler) -> Route {
    Route(.get, path, access, handler)
  }

  static func post(_ path: String, _ access: Access, _ handler: @escaping Handler) -> Route {
    Route(.post, path, access, handler)
  }

  static func put(_ path: String, _ access: Access, _ handler: @escaping Handler) -> Route {
    Route(.put, path, access, handler)
  }

  static func patch(_ path: String, _ access: Access, _ handler: @escaping Handler) -> Route {
    Route(.patch, path, access, handler)
  }

  static func delete(_ path: String, _ access: Access, _ handler: @escaping Handler) -> Route {
    Route(.delete, path, access, handler)
  }
}

extension Route: HTTPResponder {
  func respond(to request: Request, context: GatewayContext) async throws -> Response {
    try access.check(context.principal)
    return try await handler(request, context)
  }
}
