import BelfryClient
import Foundation
import Testing

/// Answers by paths, and keeps what was asked.
final class StubHTTP: HTTPTransport {
  private struct State {
    var answers: [String: String] = [:]
    var sent: [String] = []
    var isOffline = false
  }

  private let lock = NSLock()
  nonisolated(unsafe) private var state = State()

  var sent: [String] { lock.withLock { state.sent } }

  func answer(_ path: String, _ body: String) { lock.withLock { state.answers[path] = body } }

  func goOffline() { lock.withLock { state.isOffline = true } }

  func configuration() throws -> BelfryConfiguration {
    BelfryConfiguration(gateway: try #require(URL(string: "https://belfry.test")), http: self)
  }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try lock.withLock {
      if state.isOffline { throw BelfryError(.offline) }
      let path = request.url.path()
      state.sent.append("\(request.method) \(path) \(String(decoding: request.body ?? Data(), as: UTF8.self))")
      guard let body = state.answers[path] else { return HTTPResponse(status: 204) }
      return HTTPResponse(status: 200, body: Data(body.utf8))
    }
  }
}
