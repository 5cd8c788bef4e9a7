import LocalStack

/// One send to a group through the gateway, made before the measuring begins.
struct GroupSend: Sendable {
  private let port: Int
  private let bytes: [UInt8]

  init(_ bench: Bench, group: String) async throws {
    port = bench.stack.services(.gateway)[0].port
    bytes = LoadRequest.post(
      "/api/v1/notifications",
      port: port,
      token: try await bench.serviceToken(),
      json: #"{"to":{"group":"\#(group)"},\#(SendSuite.content)}"#
    )
  }

  func send() async throws {
    _ = try await Threads.run { _ in
      let connection = try LoadConnection(port: port)
      let status = try connection.exchange(bytes)
      guard status == 202 else { throw BenchError("the gateway answered \(status): \(connection.text)") }
    }
  }
}
