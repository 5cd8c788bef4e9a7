import Metrics
import SignalRProtocol
import Synchronization
import Tracing

/// Measures what the hub does and traces what clients call, where the process has a backend for either.
///
/// - `belfry_inapp_connections`: open hub connections, by `transport`.
/// - `belfry_inapp_requests`: answers to HTTP requests, by `method`, `route` (never what the client wrote) and `status`.
/// - `belfry_inapp_call_duration`: of what clients call, by `method` and `result`; of `Resume` each page. Pages that no call waits for,
///   because the hub fills a gap by itself or reads what came meanwhile, have the method `gap`.
/// - `belfry_inapp_delivery_duration`: from a batch of the broker's until its events are written.
///
/// A span is named after the hub and its method, and has the attributes of OpenTelemetry's conventions for RPC. What
/// ``HubStatistics`` counts is counted there.
final class HubTelemetry: Sendable {
  private struct Request: Hashable {
    let method: String
    let route: String
    let status: UInt
  }

  private struct Call: Hashable {
    let method: String
    let isFailure: Bool
  }

  /// Nil where nobody measures.
  private let factory: (any MetricsFactory)?
  /// Nil where nobody traces.
  private let tracer: (any Tracer)?
  private let connections: [HubTransport: Meter]
  private let deliveryDuration: Metrics.Timer?
  /// One for each method, route and status: a bounded number, since what fits no route shares one.
  private let requests = Mutex<[Request: Counter]>([:])
  private let calls = Mutex<[Call: Metrics.Timer]>([:])

  init() {
    let factory = MetricsSystem.factory
    let tracer = InstrumentationSystem.tracer
    self.tracer = tracer is NoOpTracer ? nil : tracer
    guard !(factory is NOOPMetricsHandler) else {
      self.factory = nil
      connections = [:]
      deliveryDuration = nil
      return
    }
    self.factory = factory
    connections = Dictionary(
      uniqueKeysWithValues: HubTransport.allCases.map { transport in
        let dimensions = [("transport", transport.rawValue)]
        return (transport, Meter(label: "belfry_inapp_connections", dimensions: dimensions, factory: factory))
      }
    )
    deliveryDuration = Metrics.Timer(label: "belfry_inapp_delivery_duration", factory: factory)
  }

  func opened(_ transport: HubTransport) { connections[transport]?.increment() }

  func closed(_ transport: HubTransport) { connections[transport]?.decrement() }

  /// All events of a batch that came then are written.
  func delivered(since start: ContinuousClock.Instant) {
    deliveryDuration?.record(duration: start.duration(to: .now))
  }

  /// A request has been answered.
  ///
  /// - Parameters:
  ///   - method: One of those that the hub knows; else nil.
  ///   - route: Nil if there is none for the request's path.
  func answered(_ method: String?, _ route: @autoclosure () -> String?, _ status: UInt) {
    guard let factory else { return }
    let route = route()
    let request = Request(method: route == nil ? "any" : method ?? "any", route: route ?? "none", status: status)
    let counter = requests.withLock { requests in
      if let counter = requests[request] { return counter }
      let counter = Counter(
        label: "belfry_inapp_requests",
        dimensions: [("method", request.method), ("route", request.route), ("status", "\(status)")],
        factory: factory
      )
      requests[request] = counter
      return counter
    }
    counter.increment()
  }

  /// Times what a client called, in a span of its own. Without a backend it is only done.
  ///
  /// - Parameters:
  ///   - isCalled: Whether a client waits for it; else it gets no span.
  ///   - isFailure: Whether the client is answered with an error.
  func observe<Value>(
    _ method: String,
    on hub: HubPath,
    isCalled: Bool = true,
    isFailure: (Value) -> Bool = { _ in false },
    _ work: () async throws -> Value
  ) async rethrows -> Value {
    guard factory != nil || tracer != nil else { return try await work() }
    let start = ContinuousClock.now
    do {
      let value = isCalled ? try await traced(method, on: hub, isFailure: isFailure, work) : try await work()
      record(Call(method: method, isFailure: isFailure(value)), since: start)
      return value
    } catch {
      record(Call(method: method, isFailure: true), since: start)
      throw error
    }
  }

  private func traced<Value>(
    _ method: String,
    on hub: HubPath,
    isFailure: (Value) -> Bool,
    _ work: () async throws -> Value
  ) async rethrows -> Value {
    guard let tracer else { return try await work() }
    // No trace comes with a hub message.
    return try await tracer.withAnySpan("\(hub.rawValue)/\(method)", context: .topLevel, ofKind: .server) { span in
      span.attributes["rpc.system"] = "signalr"
      span.attributes["rpc.service"] = hub.rawValue
      span.attributes["rpc.method"] = method
      let value = try await work()
      if isFailure(value) { span.setStatus(SpanStatus(code: .error)) }
      return value
    }
  }

  private func record(_ call: Call, since start: ContinuousClock.Instant) {
    guard let factory else { return }
    let timer = calls.withLock { calls in
      if let timer = calls[call] { return timer }
      let timer = Metrics.Timer(
        label: "belfry_inapp_call_duration",
        dimensions: [("method", call.method), ("result", call.isFailure ? "failed" : "done")],
        factory: factory
      )
      calls[call] = timer
      return timer
    }
    timer.record(duration: start.duration(to: .now))
  }
}
