import Authentication
import HTTPTypes
import Hummingbird
import ServiceRuntime
import UserIdentity

/// Lets only requests with a valid bearer token or API key through, and each caller only so fast.
struct AuthenticationMiddleware: RouterMiddleware {
  let verifier: TokenVerifier
  let keys: APIKeyVerifier
  let limits: RateLimits
  let identities: UserIdentities

  func handle(
    _ request: Request,
    context: GatewayContext,
    next: @concurrent (Request, GatewayContext) async throws -> Response
  ) async throws -> Response {
    var context = context
    let principal = try await principal(of: request, context)
    context.principal = principal
    guard let quota = limits.take(principal) else {
      try await admit(principal, request)
      return try await next(request, context)
    }
    guard quota.isAdmitted else { throw Problem.tooManyRequests(quota) }
    var response: Response
    do {
      try await admit(principal, request)
      response = try await next(request, context)
    } catch {
      // Answered here already: an error's answer says what is left too.
      response = Problem(answering: error, logger: context.logger).response(from: request, context: context)
    }
    quota.add(to: &response.headers)
    return response
  }

  private func admit(_ principal: Principal, _ request: Request) async throws {
    guard let user = principal.user, user.isContestable else { return }
    try await identities.admit(user, by: request.method)
  }

  private func principal(of request: Request, _ context: GatewayContext) async throws -> Principal {
    let token = request.headers[.authorization]
    if let key = request.headers[.apiKey] {
      guard token == nil else { throw Problem.twoCredentials }
      return try await principal(ofKey: key, from: limits.network(of: request, context))
    }
    return try await principal(ofToken: token, of: request, context)
  }

  /// A token that has not been valid before is counted before its signature is looked at, as if it were refused: not even many at
  /// once cost more than refusals are allowed. Of a valid one that is taken back.
  private func principal(
    ofToken header: String?,
    of request: Request,
    _ context: GatewayContext
  ) async throws -> Principal {
    let token = Result { () throws(AuthenticationError) in try BearerToken.parse(header) }
    if case .success(let token) = token, let principal = verifier.known(token) { return principal }
    let network = limits.network(of: request, context)
    let counted = limits.refused?.take(network)
    if let counted, !counted.isAdmitted { throw Problem.tooManyRequests(counted) }
    do {
      let principal = try verifier.verify(try token.get())
      if counted != nil { limits.refused?.giveBack(network) }
      return principal
    } catch {
      throw refusal(error.description, counted)
    }
  }

  /// A key that is looked up is counted before, as if it were refused: not even many at once reach the database faster than
  /// refusals are allowed. Of a valid one that is taken back.
  private func principal(ofKey key: String, from network: ClientNetwork) async throws -> Principal {
    var counted: Quota?
    let principal = try await keys.verify(key) {
      counted = limits.refused?.take(network)
      if let counted, !counted.isAdmitted { throw Problem.tooManyRequests(counted) }
    }
    if let principal {
      if counted != nil { limits.refused?.giveBack(network) }
      return principal
    }
    // What is remembered as refused was not counted yet.
    if counted == nil { counted = limits.refused?.take(network) }
    if let counted, !counted.isAdmitted { throw Problem.tooManyRequests(counted) }
    throw refusal("The API key is unknown or revoked.", counted)
  }

  /// 401 that tells how many more there may be.
  private func refusal(_ detail: String, _ counted: Quota?) -> Problem {
    var problem = Problem.unauthorized(detail)
    counted?.add(to: &problem.extraHeaders)
    return problem
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
