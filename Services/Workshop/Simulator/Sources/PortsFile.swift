import BelfryJSON
import Logging
import ServiceLifecycle

/// Writes `service-account.json` and then `ports.json` once everything listens: who waits for the latter finds all ready.
struct PortsFile: Service {
  let ports: ListeningPorts
  let account: ServiceAccount
  let directory: DataDirectory
  let logger: Logger

  func run() async throws {
    let found = await cancelWhenGracefulShutdown { await ports.all() }
    guard let found, let fcm = found[.fcm] else { return }
    try account.write(to: directory, port: fcm)
    var writer = JSONWriter()
    writer.object { writer in
      for server in ListeningPorts.Server.allCases {
        if let port = found[server] { writer.dynamicField(server.rawValue, port) }
      }
    }
    try directory.write("ports.json", writer.text + "\n")
    logger.info(
      "listening",
      metadata: [
        "fcm": "\(found[.fcm] ?? 0)", "apns": "\(found[.apns] ?? 0)", "apnsSandbox": "\(found[.apnsSandbox] ?? 0)",
        "webPush": "\(found[.webPush] ?? 0)", "webPushSocket": "\(found[.webPushSocket] ?? 0)",
        "smtp": "\(found[.smtp] ?? 0)", "control": "\(found[.control] ?? 0)",
        "directory": "\(directory.path)",
      ]
    )
    try await gracefulShutdown()
  }
}
