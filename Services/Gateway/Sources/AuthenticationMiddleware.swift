import Authentication
import HTTPTypes
import Hummingbird

/// Lets only requests with a valid bearer token through, and each user only so fast.
struct AuthenticationMiddleware: RouterMiddleware {
  let verifier: TokenVerifier
  let limiter: RateLimiter?

  func handle(
    _ request: Request,
    context: GatewayContext,
    next: @concurrent (Request, GatewayContext) async throws -> Response
  ) async throws -> Response {
    var context = context
    let principal: Principal
    do {
      principal = try await verifier.verify(try BearerToken.parse(request.headers[.authorization]))
    } catch {
      throw Problem.unauthorized(error.description)
    }
    if let limiter, !principal.isService, !limiter.admits(principal.subject) {
      var problem = Problem(.tooManyRequests, .tooManyRequests, "Too many requests")
      problem.extraHeaders[.retryAfter] = "1"
      throw problem
    }
    context.principal = principal
    return try await next(request, context)
  }
}
