import Broker
import HTTPTypes
import Hummingbird
import Logging
import NotificationModel
import Postgres

/// Turns every error into a problem document, so that no other shape of error ever leaves the gateway.
struct ProblemMiddleware: RouterMiddleware {
  let paths: KnownPaths

  func handle(
    _ request: Request,
    context: GatewayContext,
    next: @concurrent (Request, GatewayContext) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch let error as HTTPError where error.status == .notFound {
      // Of the router itself: controllers throw problems.
      if let refusal = await paths.refusal(request, context: context) { return refusal }
      return Problem.notFound.response(from: request, context: context)
    } catch {
      return problem(of: error, context: context).response(from: request, context: context)
    }
  }

  private func problem(of error: any Error, context: GatewayContext) -> Problem {
    switch error {
    case let problem as Problem:
      return problem
    case let error as ValidationError:
      return .invalid(error)
    case let error as HTTPError:
      return Problem(error.status, .malformed, "The request cannot be understood", detail: error.body)
    case let error as BrokerError:
      context.logger.warning("broker", metadata: ["error": "\(error)"])
      return .unavailable(error.fate)
    case let error as PostgresError where error.isTransient:
      context.logger.warning("database", metadata: ["error": "\(error)"])
      return .unavailable("the database is not available")
    default:
      context.logger.error("request failed", metadata: ["error": "\(String(reflecting: error))"])
      return Problem(.internalServerError, .internal, "Something went wrong; it has been logged")
    }
  }
}

extension BrokerError {
  /// What became of a message whose publication failed, in words for its sender.
  var fate: String {
    [.connectionLost, .timeout].contains(code)
      ? "the broker's confirm is missing: it may be accepted; repeat a send with an Idempotency-Key"
      : "the message broker is not available; nothing was accepted"
  }
}
