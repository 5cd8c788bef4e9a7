import Foundation
import LocalStack
import Synchronization

/// nginx with nchan, the push server of Debian, as a private process: one channel for everybody.
final class NchanServer: FanOutServer {
  /// What is missing, in words; nil when it can be started.
  static var problem: String? {
    let isInstalled = FileManager.default.fileExists(atPath: module)
    return isInstalled ? nil : "nginx with nchan is not installed; `.ci/install bench` installs it"
  }

  private static let module = "/usr/lib/nginx/modules/ngx_nchan_module.so"

  let name: String
  let port: Int
  let dialect: ClientDialect
  private let nginx: LocalProcess
  private let publisher: Mutex<LoadConnection>
  private let bodySize: Int

  /// - Parameters:
  ///   - workers: Of nginx. One for each processor delivers most (`worker_processes auto`); a single one leaves a processor to
  ///     the clients of this machine, and is sooner done with one event.
  ///   - bodySize: Bytes of each event.
  static func start(workers: Int, directory: String, connections: Int, bodySize: Int) async throws -> NchanServer {
    let port = try FreePort.find()
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try Data(configuration(directory, port: port, workers: workers, connections: connections).utf8)
      .write(to: URL(filePath: "\(directory)/nginx.conf"))
    // The workers end with the master only if it can tell them to.
    let nginx = try LocalProcess.spawn(
      executable: "nginx",
      arguments: ["-e", "\(directory)/error.log", "-c", "\(directory)/nginx.conf"],
      logFile: "\(directory)/nginx.log",
      deathSignal: .terminate
    )
    try await Patience.wait(for: "nginx", within: .seconds(10)) { nginx.isRunning && !FreePort.isFree(port) }
    let name = workers == 1 ? "nchan, 1 worker" : "nchan"
    return try NchanServer(nginx, name: name, port: port, connections: connections, bodySize: bodySize)
  }

  private init(_ nginx: LocalProcess, name: String, port: Int, connections: Int, bodySize: Int) throws {
    self.nginx = nginx
    self.name = name
    self.port = port
    self.bodySize = bodySize
    dialect = .webSocket(port: port, path: "/subscribe", count: connections)
    publisher = Mutex(try LoadConnection(port: port))
  }

  var processes: [Int32] {
    let path = "/proc/\(nginx.pid)/task/\(nginx.pid)/children"
    let workers = (FileManager.default.contents(atPath: path) ?? Data()).split(separator: 32)
    return [nginx.pid] + workers.compactMap { Int32(String(decoding: $0, as: UTF8.self)) }
  }

  func event(_ number: Int) -> @Sendable () async throws -> Void {
    let text = EventArrivals.text(number)
    let body = text + String(repeating: "x", count: max(0, bodySize - text.utf8.count))
    let request = LoadRequest.post("/publish", port: port, json: body)
    return { [self] in
      _ = try await Threads.run { [self] _ in
        let status = try publisher.withLock { try $0.exchange(request) }
        guard status == 201 || status == 202 else { throw BenchError("nchan answered \(status) to an event") }
      }
    }
  }

  func stop() async {
    await nginx.stop()
  }

  /// As generous as the hub's: no access log, no work beside the channel. Both sides ping every 15 seconds.
  private static func configuration(_ directory: String, port: Int, workers: Int, connections: Int) -> String {
    let paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(directory)/\($0);" }
    return """
      load_module \(module);
      daemon off;
      pid \(directory)/nginx.pid;
      worker_processes \(workers);
      events { worker_connections \(connections + 4_500); }
      http {
        access_log off;
        keepalive_requests 1000000000;
        # The publisher's connection is silent while it is the other server's turn: longer than nginx waits by itself.
        client_header_timeout 1h;
        keepalive_timeout 1h;
        \(paths.joined(separator: "\n  "))
        nchan_shared_memory_size 128m;
        server {
          listen 127.0.0.1:\(port) backlog=4096;
          location = /subscribe {
            nchan_subscriber websocket;
            nchan_channel_id all;
            nchan_subscriber_first_message newest;
            nchan_websocket_ping_interval 15;
          }
          location = /publish {
            nchan_publisher;
            nchan_channel_id all;
          }
        }
      }
      """
  }
}
