public import Foundation
public import BelfryJSON
import Logging
public import Transport

/// The gateway's REST interface, as far as the commands use it.
public struct GatewayClient: Sendable {
  public let url: String
  /// Where the address comes from, for who has to mend it.
  private let setting: String
  /// Of who asks, where a call names no other.
  private let token: String?
  private let http: HTTPClient

  /// Runs the body with a client, and closes its connections afterwards.
  public static func using<Result>(
    url: String,
    saidBy setting: String = CommandFailure.address,
    token: String? = nil,
    _ body: (GatewayClient) async throws -> Result
  ) async throws -> Result {
    var configuration = HTTPClientConfiguration()
    // Pages of schedules have a hundred definitions of 64 KiB.
    configuration.maximumResponseBody = 16 * 1_024 * 1_024
    let http = HTTPClient(configuration: configuration, logger: .quiet)
    let outcome: Swift.Result<Result, any Error>
    do {
      // Paths begin with a slash of their own.
      let base = String(url.reversed().drop { $0 == "/" }.reversed())
      outcome = .success(try await body(GatewayClient(url: base, setting: setting, token: token, http: http)))
    } catch {
      outcome = .failure(error)
    }
    await http.close()
    return try outcome.get()
  }

  public func send(_ request: GatewaySendRequest, token: String) async throws -> GatewaySendAnswer {
    let answer = try await call("POST", "/api/v1/notifications", token: token) { request.write(to: &$0) }
    return try JSONDecoder().decode(GatewaySendAnswer.self, from: answer)
  }

  /// Makes one call.
  ///
  /// - Parameters: As of ``answer(_:_:token:headers:timeout:body:)``.
  /// - Returns: The answer's body.
  /// - Throws: ``GatewayRefusal`` for any status but 2xx, ``CommandFailure`` if none comes.
  @discardableResult
  public func call(
    _ method: String,
    _ path: String,
    token: String? = nil,
    headers: [(name: String, value: String)] = [],
    timeout: Duration? = nil,
    body: ((inout JSONWriter) -> Void)? = nil
  ) async throws -> Data {
    let response = try await answer(method, path, token: token, headers: headers, timeout: timeout, body: body)
    try check(response, of: "\(method) \(path)")
    return Data(response.body)
  }

  /// Makes one call with a body of any type.
  ///
  /// - Parameter content: Its Content-Type, and its bytes; nil sends none.
  /// - Returns: The answer's body, and its ETag.
  /// - Throws: As ``call(_:_:token:headers:timeout:body:)``.
  public func exchange(
    _ method: String,
    _ path: String,
    headers: [(name: String, value: String)] = [],
    content: (type: String, bytes: [UInt8])? = nil
  ) async throws -> (body: [UInt8], tag: String?) {
    var request = request(method, path)
    request.headers += headers
    if let content {
      request.headers.append((name: "Content-Type", value: content.type))
      request.body = content.bytes
    }
    let response: HTTPResponse
    do {
      response = try await http.send(request)
    } catch {
      throw failure(error)
    }
    try check(response, of: "\(method) \(path)")
    return (Array(response.body), response.headers.first("ETag"))
  }

  /// Makes one call, and answers whatever comes.
  ///
  /// - Parameters:
  ///   - timeout: For all of it; half a minute unless said.
  ///   - body: Writes the body; nil sends none.
  /// - Throws: ``CommandFailure`` if no answer comes.
  public func answer(
    _ method: String,
    _ path: String,
    token: String? = nil,
    headers: [(name: String, value: String)] = [],
    timeout: Duration? = nil,
    body: ((inout JSONWriter) -> Void)? = nil
  ) async throws -> HTTPResponse {
    var request = request(method, path, token: token)
    request.headers += headers
    request.timeout = timeout
    if let body {
      request.headers.append((name: "Content-Type", value: "application/json"))
      var writer = JSONWriter()
      body(&writer)
      request.body = writer.bytes
    }
    do {
      return try await http.send(request)
    } catch {
      throw failure(error)
    }
  }

  /// Hands on an answer of any size in pieces, as it comes.
  ///
  /// - Parameter take: False when it wants no more.
  /// - Throws: As ``call(_:_:token:headers:timeout:body:)``, also where the answer breaks off; and whatever `take` throws.
  public func download(_ path: String, _ take: ([UInt8]) async throws -> Bool) async throws {
    var request = request("GET", path)
    request.timeout = .seconds(3_600)
    let response: HTTPResponse
    do {
      response = try await http.download(request, take)
    } catch let error as TransportError {
      throw failure(error)
    }
    try check(response, of: "GET \(path)")
  }

  private func request(_ method: String, _ path: String, token: String? = nil) -> HTTPRequest {
    var request = HTTPRequest(method: method, url: url + path)
    if let token = token ?? self.token { request.headers.append((name: "Authorization", value: "Bearer \(token)")) }
    return request
  }

  private func failure(_ error: TransportError) -> any Error {
    error.isCancelled ? error : CommandFailure(asking: url, saidBy: setting, failed: error.code, error.description)
  }

  private func check(_ response: HTTPResponse, of call: String) throws {
    guard !(200..<300).contains(response.status) else { return }
    throw GatewayRefusal(
      call: call,
      status: response.status,
      body: String(decoding: response.body, as: UTF8.self),
      requestID: response.headers.first("X-Request-Id")
    )
  }
}
