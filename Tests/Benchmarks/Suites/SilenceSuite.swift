import Foundation
import Glibc
import LocalStack
import NotificationModel

/// Whether those who are served notice a thousand connections that say nothing, or half a header.
struct SilenceSuite {
  let bench: Bench

  private static let silent = 1_000
  private static let rate = 200
  private static let connections = 8

  func measure() async throws {
    guard OpenFiles.raise() > Self.silent + 200 else {
      Progress.say("  left out: this process may not open \(Self.silent) sockets")
      return
    }
    let port = bench.stack.services(.gateway)[0].port
    let token = try await bench.token(of: UserID(UUID()))
    for (what, path) in [
      ("GET /health/live", "/health/live"), ("unread count", "/api/v1/notifications/unread-count"),
    ] {
      let load = LoadGenerator(
        port: port,
        connections: Self.connections,
        requests: [LoadRequest.get(path, port: port, token: token)],
        status: 200
      )
      let alone = try await load.openLoop(rate: Self.rate, seconds: bench.options.seconds).latencies
      let among = try await Self.among(Self.silent, port: port) {
        try await load.openLoop(rate: Self.rate, seconds: bench.options.seconds).latencies
      }
      for percent in [50.0, 99.0] {
        bench.add(
          Measurement(
            .silence,
            "\(what) among \(Self.silent) silent connections, p\(Int(percent))",
            among.percentile(percent),
            "ms",
            limit: ("without them", alone.percentile(percent)),
            budget: percent == 99 ? .ratioAtMost(2) : nil
          )
        )
      }
    }
  }

  /// Keeps so many connections open while `body` runs.
  private static func among<Value>(_ count: Int, port: Int, _ body: () async throws -> Value) async throws -> Value {
    var descriptors: [Int32] = []
    defer { for descriptor in descriptors { close(descriptor) } }
    for number in 0..<count {
      guard let descriptor = LoopbackSocket.connect(port: port, timeout: 30) else {
        throw BenchError("connection \(number) was not accepted")
      }
      descriptors.append(descriptor)
      // Every other one begins to speak.
      if number.isMultiple(of: 2) { _ = LoopbackSocket.send(Array("GET / HTTP/1.1\r\nHost: b".utf8), on: descriptor) }
    }
    return try await body()
  }
}
