import Foundation
import BelfryJSON

/// Requests with the signed-in user's token. Each method is a call of `openapi.yaml`, by the name of its `operationId`.
///
/// All of them throw ``BelfryError``, and `CancellationError` where the task was cancelled. A refused token is asked for once again; nothing
/// else is repeated.
public struct RESTClient: Sendable {
  let gateway: URL
  let http: any HTTPTransport
  let tokens: TokenStore
  let clock: any ClientClock
  let timeout: Duration

  init(_ configuration: BelfryConfiguration, tokens: TokenStore) {
    gateway = configuration.gateway
    http = configuration.http
    self.tokens = tokens
    clock = configuration.clock
    timeout = configuration.timing.request
  }

  /// The body of an answer of 2xx; nil where there is none.
  func call(
    _ endpoint: Endpoint,
    _ values: [String] = [],
    query: [(name: String, value: String)] = [],
    body: JSONValue? = nil,
    headers: [String: String] = [:]
  ) async throws -> JSONValue? {
    try json(await answer(endpoint, values, query: query, body: body, headers: headers))
  }

  /// An answer of 2xx.
  func answer(
    _ endpoint: Endpoint,
    _ values: [String] = [],
    query: [(name: String, value: String)] = [],
    body: JSONValue? = nil,
    headers: [String: String] = [:]
  ) async throws -> HTTPResponse {
    var headers = headers
    if body != nil { headers["Content-Type"] = "application/json" }
    let request = HTTPRequest(
      method: endpoint.method,
      url: try url(endpoint.path(values), query),
      headers: headers,
      body: body.map { Data(JSONWriter.text($0).utf8) },
      timeout: timeout
    )
    return try await send(request, bearer: endpoint.isOpen ? .nobody : .user)
  }

  /// The body of an answer that must have one of a certain form.
  func call<Value>(
    _ endpoint: Endpoint,
    _ values: [String] = [],
    query: [(name: String, value: String)] = [],
    body: JSONValue? = nil,
    headers: [String: String] = [:],
    as read: (JSONValue) -> Value?
  ) async throws -> Value {
    let json = try await call(endpoint, values, query: query, body: body, headers: headers)
    guard let value = json.flatMap(read) else { throw BelfryError(.malformed, status: 200) }
    return value
  }

  /// Whose token a request has.
  enum Bearer: Sendable, Equatable {
    case user
    case nobody
    /// One that the hub gave.
    case other(String)
  }

  /// An answer of 2xx.
  func send(_ request: HTTPRequest, bearer: Bearer) async throws -> HTTPResponse {
    switch bearer {
    case .nobody: return try await checked(request)
    case .other(let token): return try await checked(request, token)
    case .user: break
    }
    let token = try await tokens.current()
    do {
      return try await checked(request, token)
    } catch let error as BelfryError where error.status == 401 {
      let other = try await tokens.current(refused: token, error)
      do {
        return try await checked(request, other)
      } catch let error as BelfryError where error.status == 401 {
        throw await tokens.refuse(other, error)
      }
    }
  }

  private func checked(_ request: HTTPRequest, _ token: String? = nil) async throws -> HTTPResponse {
    var request = request
    if let token { request.headers["Authorization"] = "Bearer \(token)" }
    let response: HTTPResponse
    do {
      response = try await http.send(request)
    } catch let error where error is BelfryError || error is CancellationError {
      throw error
    } catch {
      throw BelfryError(.unavailable)
    }
    guard response.isSuccess else { throw BelfryError(response, now: clock.now) }
    return response
  }

  func json(_ response: HTTPResponse) throws -> JSONValue? {
    if response.body.isEmpty { return nil }
    do {
      // Half a character in one notification must not hide all others.
      return try JSONParser.parse(Array(response.body)[...], loneSurrogates: .replaced)
    } catch {
      throw BelfryError(.malformed, status: response.status)
    }
  }

  private func url(_ path: String, _ query: [(name: String, value: String)]) throws -> URL {
    var text = gateway.absoluteString
    while text.hasSuffix("/") { text.removeLast() }
    text += path
    if !query.isEmpty { text += "?" + query.map { "\($0.name)=\(percentEncoded($0.value))" }.joined(separator: "&") }
    guard let url = URL(string: text) else { throw BelfryError(.invalid, detail: "The gateway's address is none.") }
    return url
  }
}

extension BelfryError {
  /// Of an answer that is not 2xx.
  init(_ response: HTTPResponse, now: Date) {
    let code: Code =
      switch response.status {
      case 401: .unauthorized
      case 403: .forbidden
      case 404: .notFound
      case 408: .timeout
      case 429: .rateLimited
      case 400..<500: .invalid
      // A redirect, from a captive portal for example.
      case ..<400: .malformed
      default: .unavailable
      }
    let json = try? JSONParser.parse(Array(response.body.prefix(1 << 20)))
    let problem = json.flatMap { Problem($0, status: response.status) }
    let isForeign = response.status == 404 && problem == nil
    self.init(
      code,
      status: response.status,
      detail: isForeign ? "Belfry did not answer this: is the gateway's address right?" : nil,
      problem: problem,
      retryAfter: response.headers["retry-after"].flatMap { waitingTime($0, now: now) }
    )
  }
}

/// The longest time for which a server is left alone.
private let longestWait = 300.0

/// From `Retry-After`, which is a number of seconds or a date; nil if it is neither.
func waitingTime(_ text: String, now: Date) -> Duration? {
  if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
    return .seconds(min(Double(text) ?? longestWait, longestWait))
  }
  guard let date = try? Date(text, strategy: httpDate) else { return nil }
  return .seconds(min(max(date.timeIntervalSince(now), 0), longestWait))
}

/// `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7).
private let httpDate = Date.ParseStrategy(
  format: """
    \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .defaultDigits) \
    \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits) GMT
    """,
  locale: Locale(identifier: "en_US_POSIX"),
  timeZone: .gmt
)
