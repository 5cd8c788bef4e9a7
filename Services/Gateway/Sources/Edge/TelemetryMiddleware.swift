import HTTPTypes
import Hummingbird
import Logging
import Metrics
import Synchronization
import Tracing

/// Measures each request and goes on with the caller's trace, where the process has a backend for either.
///
/// - `belfry_gateway_request_duration`: by `method`, `route` (its template, never a path) and `status`.
///
/// A span is named after the route and has the attributes of OpenTelemetry's conventions for HTTP servers.
struct TelemetryMiddleware<Context: RequestContext>: RouterMiddleware {
  private let durations: RequestDurations?
  private let tracer: (any Tracer)?

  /// Nil without a backend: then a request costs nothing.
  init?() {
    let factory = MetricsSystem.factory
    let tracer = InstrumentationSystem.tracer
    durations = factory is NOOPMetricsHandler ? nil : RequestDurations(factory: factory)
    self.tracer = tracer is NoOpTracer ? nil : tracer
    if durations == nil, self.tracer == nil { return nil }
  }

  func handle(
    _ request: Request,
    context: Context,
    next: @concurrent (Request, Context) async throws -> Response
  ) async throws -> Response {
    let start = ContinuousClock.now
    let response = try await traced(request, context: context, next: next)
    durations?.record(start.duration(to: .now), request.method, Self.route(of: context), response.status)
    return response
  }

  /// The template of the request's route; nil if there is none, for which Hummingbird has a name that is no path.
  private static func route(of context: Context) -> String? {
    context.endpointPath.flatMap { $0.hasPrefix("/") ? $0 : nil }
  }

  private func traced(
    _ request: Request,
    context: Context,
    next: @concurrent (Request, Context) async throws -> Response
  ) async throws -> Response {
    guard let tracer else { return try await next(request, context) }
    var caller = InstrumentationContext.topLevel
    tracer.extract(request.headers, into: &caller, using: FieldExtractor())
    return try await tracer.withAnySpan("request", context: caller, ofKind: .server) { span in
      span.attributes["http.request.method"] = request.method.rawValue
      let response = try await next(request, context)
      if let route = Self.route(of: context) {
        span.operationName = "\(request.method.rawValue) \(route)"
        span.attributes["http.route"] = route
      }
      span.attributes["http.response.status_code"] = response.status.code
      if response.status.kind == .serverError { span.setStatus(SpanStatus(code: .error)) }
      return response
    }
  }
}

/// One timer for each method, route and status: a bounded number, since what fits no route shares one.
private final class RequestDurations: Sendable {
  private struct Key: Hashable {
    let method: String
    let route: String
    let status: Int
  }

  private let factory: any MetricsFactory
  private let timers = Mutex<[Key: Metrics.Timer]>([:])

  init(factory: any MetricsFactory) {
    self.factory = factory
  }

  func record(_ duration: Duration, _ method: HTTPRequest.Method, _ route: String?, _ status: HTTPResponse.Status) {
    let key = Key(method: route == nil ? "any" : method.rawValue, route: route ?? "none", status: status.code)
    let timer = timers.withLock { timers in
      if let timer = timers[key] { return timer }
      let timer = Metrics.Timer(
        label: "belfry_gateway_request_duration",
        dimensions: [("method", key.method), ("route", key.route), ("status", "\(key.status)")],
        factory: factory
      )
      timers[key] = timer
      return timer
    }
    timer.record(duration: duration)
  }
}

/// Reads a trace from a request's header, e.g. `traceparent` (W3C Trace Context).
private struct FieldExtractor: Extractor {
  func extract(key: String, from fields: HTTPFields) -> String? {
    HTTPField.Name(key).flatMap { fields[$0] }
  }
}
