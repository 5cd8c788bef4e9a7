import HTTPTypes
import Hummingbird

/// What every answer has, whoever asked for whatever: the request's id, what web pages of other origins may read, and where
/// addresses are limited, what is left. No answer to HEAD has a body.
struct EdgeMiddleware: RouterMiddleware {
  let crossOrigin: CrossOrigin
  let limits: RateLimits

  func handle(
    _ request: Request,
    context: GatewayContext,
    next: @concurrent (Request, GatewayContext) async throws -> Response
  ) async throws -> Response {
    var context = context
    context.takeRequestID(of: request)
    var response = try await answer(request, context, next)
    // With those that the server adds (Date, Server), or the fields would move each time they have grown by one.
    response.headers.reserveCapacity(response.headers.count + 4)
    response.headers.append(HTTPField(name: .requestID, value: context.requestID))
    crossOrigin.allow(request, in: &response.headers)
    return request.method == .head ? response.createHeadResponse() : response
  }

  private func answer(
    _ request: Request,
    _ context: GatewayContext,
    _ next: @concurrent (Request, GatewayContext) async throws -> Response
  ) async throws -> Response {
    if let preflight = crossOrigin.preflight(request) { return preflight }
    // Probes that find a gateway too busy to answer would have it restarted.
    guard let limiter = limits.address, !request.uri.path.hasPrefix("/health/") else {
      return try await next(request, context)
    }
    let quota = limiter.take(limits.network(of: request, context))
    guard quota.isAdmitted else { return Problem.tooManyRequests(quota).response(from: request, context: context) }
    var response = try await next(request, context)
    quota.add(to: &response.headers)
    return response
  }
}
