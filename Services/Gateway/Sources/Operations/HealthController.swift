import Hummingbird
import ServiceRuntime

/// `/health/live` and `/health/ready`, as on the port for probes but for what is the operator's alone.
struct HealthController {
  private let checks: HealthChecks

  init(_ dependencies: GatewayDependencies) {
    checks = dependencies.checks
  }

  var routes: [Route] {
    [
      .get("/health/live", .open) { _, _ in HealthServer.liveness() },
      .get("/health/ready", .open) { _, _ in HealthServer.readiness(checks, isOpen: true) },
    ]
  }
}
