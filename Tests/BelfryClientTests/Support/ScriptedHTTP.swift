import BelfryClient
import BelfryClientTesting
import Foundation
import Testing

/// Answers by what a test says, and keeps what was asked.
final class ScriptedHTTP: HTTPTransport {
  private let requests = Locked<[HTTPRequest]>([])
  private let answer: @Sendable (HTTPRequest) async throws -> HTTPResponse

  init(_ answer: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse) {
    self.answer = answer
  }

  var sent: [HTTPRequest] { requests.withLock { $0 } }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    requests.withLock { $0.append(request) }
    return try await answer(request)
  }
}

extension HTTPResponse {
  init(_ status: Int = 200, json: String, headers: [String: String] = [:]) {
    self.init(status: status, headers: headers, body: Data(json.utf8))
  }
}

extension HTTPRequest {
  var text: String { String(decoding: body ?? Data(), as: UTF8.self) }
  var token: String? { headers["Authorization"].map { String($0.dropFirst(7)) } }
}

/// A gateway's address that nobody asks.
func testConfiguration(
  _ http: any HTTPTransport,
  live: (any LiveTransport)? = nil,
  clock: any ClientClock = TestClock()
) throws -> BelfryConfiguration {
  let gateway = try #require(URL(string: "https://belfry.test"))
  return BelfryConfiguration(gateway: gateway, http: http, live: live ?? NoLive(), clock: clock)
}

struct NoLive: LiveTransport {
  var name: String { "ServerSentEvents" }

  func open(_ url: URL, token: String, via http: any HTTPTransport) async throws -> any LiveChannel {
    throw BelfryError(.unavailable)
  }
}
