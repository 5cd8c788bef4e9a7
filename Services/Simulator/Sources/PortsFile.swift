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
    var writer = JSONBuilder()
    writer.beginObject()
    for server in ListeningPorts.Server.allCases { writer.member(server.rawValue, found[server]) }
    writer.endObject()
    try directory.write("ports.json", String(decoding: writer.bytes, as: UTF8.self) + "\n")
    logger.info(
      "listening",
      metadata: [
        "fcm": "\(found[.fcm] ?? 0)", "smtp": "\(found[.smtp] ?? 0)", "control": "\(found[.control] ?? 0)",
        "directory": "\(directory.path)",
      ]
    )
    try await gracefulShutdown()
  }
}
