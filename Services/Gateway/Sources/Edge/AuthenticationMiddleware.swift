import Authentication
import HTTPTypes
import Hummingbird
import ServiceRuntime

/// Lets only requests with a valid bearer token or API key through, and each caller only so fast.
struct AuthenticationMiddleware: RouterMiddleware {
  let verifier: TokenVerifier
  let keys: APIKeyVerifier
  let limits: RateLimits

  func handle(
    _ request: Request,
    context: GatewayContext,
    next: @concurrent (Request, GatewayContext) async throws -> Response
  ) async throws -> Response {
    var context = context
    let principal = try await principal(of: request, context)
    context.principal = principal
    guard let quota = limits.take(principal) else { return try await next(request, context) }
    guard quota.isAdmitted else { throw Problem.tooManyRequests(quota) }
    var response: Response
    do {
      response = try await next(request, context)
    } catch {
      // Answered here already: an error's answer says what is left too.
      response = Problem(answering: error, logger: context.logger).response(from: request, context: context)
    }
    quota.add(to: &response.headers)
    return response
  }

  private func principal(of request: Request, _ context: GatewayContext) async throws -> Principal {
    let token = request.headers[.authorization]
    if let key = request.headers[.apiKey] {
      guard token == nil else { throw Problem.twoCredentials }
      return try await principal(ofKey: key, from: limits.network(of: request, context))
    }
    do {
      return try await verifier.verify(try BearerToken.parse(token))
    } catch .expired {
      // Its signature is right, so nobody guesses. Whose it was asks for a new one only if told so.
      throw Problem.unauthorized(AuthenticationError.expired.description)
    } catch {
      throw refusal(error.description, from: limits.network(of: request, context))
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
    throw refusal("The API key is unknown or revoked.", from: network, counted: counted)
  }

  /// 401; where too many of them came from one address, 429.
  private func refusal(_ detail: String, from network: ClientNetwork, counted: Quota? = nil) -> Problem {
    var problem = Problem.unauthorized(detail)
    guard let quota = counted ?? limits.refused?.take(network) else { return problem }
    guard quota.isAdmitted else { return .tooManyRequests(quota) }
    quota.add(to: &problem.extraHeaders)
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
