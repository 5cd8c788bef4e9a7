import ServiceLifecycle

/// Where the process's measurements and traces go: nowhere yet.
///
/// swift-metrics and swift-distributed-tracing are asked all over the code and take a backend once for the process. It is set
/// here, before anything is built, because whoever measures looks for it when it is made.
enum Telemetry {
  /// - Returns: What exports while the service runs. It stops last, so that it exports the end as well.
  static func bootstrap() -> [any Service] { [] }
}
