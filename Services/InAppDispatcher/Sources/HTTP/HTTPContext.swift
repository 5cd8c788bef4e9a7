import BelfryJSON
import NIOHTTP1
import ServiceRuntime

/// What every HTTP connection of a node shares.
final class HTTPContext: Sendable {
  let hub: HubContext
  let origins: OriginPolicy
  private let checks: HealthChecks

  init(hub: HubContext, origins: OriginPolicy, checks: HealthChecks) {
    self.hub = hub
    self.origins = origins
    self.checks = checks
  }

  /// The answer of `/health/ready`.
  func readiness() -> HTTPAnswer {
    var failing = checks.failing(isOpen: true)
    if hub.isDraining, !failing.contains(StopNotice.condition) { failing.append(StopNotice.condition) }
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("status", failing.isEmpty ? "ready" : "not ready")
      if !failing.isEmpty {
        writer.array("failing") { writer in
          for name in failing { writer.string(name) }
        }
      }
      for (name, text) in checks.told(isOpen: true) { writer.field(name, text) }
    }
    return .json(writer.bytes, status: failing.isEmpty ? .ok : .serviceUnavailable)
  }
}
