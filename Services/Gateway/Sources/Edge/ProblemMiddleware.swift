import Broker
import HTTPTypes
import Hummingbird
import Logging
import NotificationModel
import NotificationStore
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
      return Problem(answering: error, logger: context.logger).response(from: request, context: context)
    }
  }
}

extension Problem {
  /// What the caller is told of an error; what is not the caller's doing is logged.
  init(answering error: any Error, logger: Logger) {
    switch error {
    case let problem as Problem:
      self = problem
    case let error as ValidationError:
      self = .invalid(error)
    case let error as HTTPError:
      self.init(error.status, .malformed, "The request cannot be understood", detail: error.body)
    case let error as BrokerError:
      logger.warning("broker", metadata: ["error": "\(error)"])
      self = .unavailable(error.fate)
    case let error as PostgresError where error.isTransient:
      logger.warning("database", metadata: ["error": "\(error)"])
      self = .unavailable("the database is not available")
    case let error as ErasureError:
      logger.notice("an erasure is in the way", metadata: ["error": "\(error)"])
      self = .unavailable(error.description)
    default:
      logger.error("request failed", metadata: ["error": "\(String(reflecting: error))"])
      self.init(.internalServerError, .internal, "Something went wrong; it has been logged")
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
