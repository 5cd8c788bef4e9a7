import Foundation
import LocalStack
import Transport

/// The HTTP/2 client beside libcurl in a plain loop, and beside h2load: one TLS connection with 100 streams to nghttpd.
struct HTTPSuite {
  let bench: Bench

  private static let streams = 100

  func measure() async throws {
    let server = try await HTTP2Server.start(bench.stack)
    do {
      try await measure(server)
      await server.stop()
    } catch {
      await server.stop()
      throw error
    }
  }

  private func measure(_ server: HTTP2Server) async throws {
    let body = [UInt8](repeating: 120, count: 500)
    let count = bench.options.seconds * 4_000
    let token = "Bearer \(String(repeating: "a", count: 160))"
    let h2load = try await server.h2load(count: count * 4, body: body, directory: bench.directory)
    let loop = try await CurlLoop.run(
      CurlLoop.Target(
        url: server.url,
        caFile: "\(bench.stack.simulatorDirectory)/ca.pem",
        headers: ["Content-Type: application/json", "Authorization: \(token)"],
        body: body
      ),
      window: Self.streams,
      count: count
    )
    let (rate, cpu) = try await requests(server, count: count, token: token, body: body)
    bench.add(
      Measurement(
        .http,
        "HTTP/2 requests, \(Self.streams) at a time",
        rate,
        "/s",
        limit: ("libcurl loop", loop.perSecond),
        budget: .shareAtLeast(0.8)
      )
    )
    bench.add(Measurement(.http, "the same beside h2load", rate, "/s", limit: ("h2load", h2load)))
    bench.add(
      Measurement(.http, "CPU of a request", cpu, "µs", limit: ("libcurl loop", loop.microsecondsEach))
    )
  }

  private func requests(_ server: HTTP2Server, count: Int, token: String, body: [UInt8]) async throws
    -> (Double, Double)
  {
    var configuration = HTTPClientConfiguration()
    configuration.maximumConnectionsPerHost = 1
    configuration.maximumStreamsPerConnection = Self.streams
    configuration.caFile = "\(bench.stack.simulatorDirectory)/ca.pem"
    let client = try HTTP2Client(origin: server.origin, configuration: configuration, logger: .bench)
    let headers = [(name: "Content-Type", value: "application/json"), (name: "Authorization", value: token)]
    let request = HTTPRequest(method: "POST", url: server.url, headers: headers, body: body)
    let first = try await client.send(request)
    guard first.status == 200, first.httpVersion == "2" else {
      throw BenchError("nghttpd answered \(first.status) over HTTP/\(first.httpVersion)")
    }
    let (started, cpu) = (WallTime.now, OwnProcess.cpuSeconds)
    let each = count / Self.streams
    try await withThrowingDiscardingTaskGroup { callers in
      for _ in 0..<Self.streams {
        callers.addTask { @concurrent in
          for _ in 0..<each {
            let answer = try await client.send(request)
            guard answer.status == 200 else { throw BenchError("nghttpd answered \(answer.status)") }
          }
        }
      }
    }
    let done = Double(each * Self.streams)
    let rate = done / WallTime.seconds(from: started, to: WallTime.now)
    let used = (OwnProcess.cpuSeconds - cpu) * 1_000_000 / done
    await client.close()
    return (rate, used)
  }
}
