import BelfrySender
import Foundation
import TestSupport
import Testing

/// Against a server on this machine.
@Suite struct URLSessionSenderTransportTests {
  private func request(_ gateway: StubGateway, method: String = "GET", body: String? = nil) throws -> TransportRequest {
    TransportRequest(
      method: method,
      url: try #require(URL(string: "\(gateway.url)/api/v1/schedules/a%2Fb?pageSize=1")),
      headers: ["X-Api-Key": "belfry_1"],
      body: body.map { Data($0.utf8) },
      timeout: .seconds(30)
    )
  }

  @Test func `a request arrives as it is, and its answer comes back`() async throws {
    let answer = StubGateway.Answer(status: 418, body: "tea", headers: ["ETag": "\"1\""])
    try await StubGateway.with({ _ in answer }) { gateway in
      let transport = URLSessionSenderTransport()
      let response = try await transport.send(try request(gateway, method: "PUT", body: #"{"a":1}"#))
      #expect(response.status == 418)
      #expect(response.headers["etag"] == "\"1\"")
      #expect(String(decoding: response.body, as: UTF8.self) == "tea")
      let asked = try #require(gateway.asked.first)
      #expect(asked.line == "PUT /api/v1/schedules/a%2Fb?pageSize=1")
      #expect(asked.headers["x-api-key"] == "belfry_1")
      #expect(asked.body == #"{"a":1}"#)
    }
  }

  @Test func `many requests at the same time each get their own answer`() async throws {
    try await StubGateway.with({ StubGateway.Answer(body: $0.body) }) { gateway in
      let transport = URLSessionSenderTransport(connections: 4)
      try await withThrowingTaskGroup(of: (Int, String).self) { group in
        for number in 0..<50 {
          let request = try request(gateway, method: "POST", body: "\(number)")
          group.addTask { (number, String(decoding: try await transport.send(request).body, as: UTF8.self)) }
        }
        for try await (number, body) in group { #expect(body == "\(number)") }
      }
    }
  }

  @Test func `no redirect is followed: the secret stays here`() async throws {
    let answer = StubGateway.Answer(status: 307, body: "", headers: ["Location": "/elsewhere"])
    try await StubGateway.with({ _ in answer }) { gateway in
      let response = try await URLSessionSenderTransport().send(try request(gateway))
      #expect(response.status == 307)
      #expect(gateway.asked.count == 1)
    }
  }

  @Test func `an answer that breaks off is a broken connection`() async throws {
    let answer = StubGateway.Answer(body: "{", breaksOff: true)
    try await StubGateway.with({ _ in answer }) { gateway in
      let error = await #expect(throws: TransportError.self) {
        try await URLSessionSenderTransport().send(try request(gateway))
      }
      #expect(error?.isTransient == true)
    }
  }

  @Test func `an answer has at most so many bytes`() async throws {
    let answer = StubGateway.Answer(body: String(repeating: "x", count: TransportRequest.maximumAnswer + 1))
    try await StubGateway.with({ _ in answer }) { gateway in
      let error = await #expect(throws: TransportError.self) {
        try await URLSessionSenderTransport().send(try request(gateway))
      }
      #expect(error?.isTransient == false)
    }
  }

  @Test func `a gateway that is not there is a broken connection`() async throws {
    let error = try await failure(port: 1, timeout: .seconds(10))
    #expect(error?.isTransient == true)
  }

  @Test func `a gateway that says nothing is waited for as long as the request says`() async throws {
    let silent = try SilentServer()
    let error = try await failure(port: silent.port, timeout: .milliseconds(50))
    #expect(error?.isTransient == true)
    #expect(error?.description.contains("no answer within") == true)
  }

  @Test func `a cancelled task stops waiting`() async throws {
    let silent = try SilentServer()
    let waiting = Task { try await self.failure(port: silent.port, timeout: .seconds(3_600)) }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }

  /// The error of a request to a port of this machine.
  private func failure(port: UInt16, timeout: Duration) async throws -> TransportError? {
    let url = try #require(URL(string: "http://127.0.0.1:\(port)/"))
    let request = TransportRequest(method: "GET", url: url, headers: [:], body: nil, timeout: timeout)
    do {
      _ = try await URLSessionSenderTransport().send(request)
      return nil
    } catch let error as TransportError {
      return error
    }
  }

  @Test(.timeLimit(.minutes(1))) func `requests that are cancelled as they end trap nowhere, and end`() async throws {
    try await StubGateway.with({ _ in StubGateway.Answer(body: "{}") }) { gateway in
      let transport = URLSessionSenderTransport()
      for number in 0..<300 {
        let request = try request(gateway)
        let waiting = Task { try await transport.send(request) }
        try? await Task.sleep(for: .microseconds(number * 10))
        waiting.cancel()
        _ = await waiting.result
      }
    }
  }
}
