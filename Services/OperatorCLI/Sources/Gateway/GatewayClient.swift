import Foundation
import JSON
import Logging
import Transport

/// The gateway's REST interface, as far as this tool uses it.
struct GatewayClient: Sendable {
  let url: String
  private let http: HTTPClient

  /// Runs the body with a client, and closes its connections afterwards.
  static func using<Result>(url: String, _ body: (GatewayClient) async throws -> Result) async throws -> Result {
    let http = HTTPClient(configuration: HTTPClientConfiguration(), logger: .quiet)
    let outcome: Swift.Result<Result, any Error>
    do {
      // Paths begin with a slash of their own.
      let base = String(url.reversed().drop { $0 == "/" }.reversed())
      outcome = .success(try await body(GatewayClient(url: base, http: http)))
    } catch {
      outcome = .failure(error)
    }
    await http.close()
    return try outcome.get()
  }

  func send(
    _ request: GatewaySendRequest,
    token: String,
    idempotencyKey: String? = nil
  ) async throws -> GatewaySendAnswer {
    let headers = idempotencyKey.map { [(name: "Idempotency-Key", value: $0)] } ?? []
    let answer = try await call("POST", "/api/v1/notifications", token: token, headers: headers) {
      request.write(to: &$0)
    }
    return try JSONDecoder().decode(GatewaySendAnswer.self, from: answer)
  }

  /// Makes one call.
  ///
  /// - Parameter body: Writes the body; nil sends none.
  /// - Returns: The answer's body.
  /// - Throws: ``GatewayRefusal`` for any status but 2xx, ``CommandFailure`` if none comes.
  @discardableResult
  func call(
    _ method: String,
    _ path: String,
    token: String? = nil,
    headers: [(name: String, value: String)] = [],
    body: ((inout JSONWriter) -> Void)? = nil
  ) async throws -> Data {
    var request = HTTPRequest(method: method, url: url + path, headers: headers)
    if let token { request.headers.append((name: "Authorization", value: "Bearer \(token)")) }
    if let body {
      request.headers.append((name: "Content-Type", value: "application/json"))
      var writer = JSONWriter()
      body(&writer)
      request.body = writer.bytes
    }
    let response: HTTPResponse
    do {
      response = try await http.send(request)
    } catch {
      guard !error.isCancelled else { throw error }
      throw CommandFailure(asking: url, failed: error.code, error.description)
    }
    guard (200..<300).contains(response.status) else {
      throw GatewayRefusal(
        call: "\(method) \(path)",
        status: response.status,
        body: String(decoding: response.body, as: UTF8.self)
      )
    }
    return Data(response.body)
  }
}
