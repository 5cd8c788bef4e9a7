import Authentication
import HTTPTypes
import Hummingbird

/// Lets only requests with a valid bearer token or API key through, and each user only so fast.
struct AuthenticationMiddleware: RouterMiddleware {
  let verifier: TokenVerifier
  let keys: APIKeyVerifier
  let limiter: RateLimiter?

  func handle(
    _ request: Request,
    context: GatewayContext,
    next: @concurrent (Request, GatewayContext) async throws -> Response
  ) async throws -> Response {
    var context = context
    let principal = try await principal(of: request)
    if let limiter, !principal.isService, !limiter.admits(principal.subject) {
      var problem = Problem(.tooManyRequests, .tooManyRequests, "Too many requests")
      problem.extraHeaders[.retryAfter] = "1"
      throw problem
    }
    context.principal = principal
    return try await next(request, context)
  }

  private func principal(of request: Request) async throws -> Principal {
    let token = request.headers[.authorization]
    if let key = request.headers[.apiKey] {
      guard token == nil else { throw Problem.twoCredentials }
      guard let principal = try await keys.verify(key) else {
        throw Problem.unauthorized("The API key is unknown or revoked.")
      }
      return principal
    }
    do {
      return try await verifier.verify(try BearerToken.parse(token))
    } catch {
      throw Problem.unauthorized(error.description)
    }
  }
}

extension HTTPField.Name {
  static let apiKey: Self = {
    guard let name = Self("X-Api-Key") else { preconditionFailure("a valid field name") }
    return name
  }()
}

extension Problem {
  /// 400: which of both is meant cannot be known.
  fileprivate static let twoCredentials = Problem(
    .badRequest,
    .malformed,
    "The request cannot be understood",
    detail: "bring either Authorization or X-Api-Key, not both"
  )
}
