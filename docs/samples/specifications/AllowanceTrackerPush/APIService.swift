import BelfryClient
import Foundation

protocol APIServiceProtocol: Sendable {
  func get<Answer: Decodable>(endpoint: String, queryParams: [String: String]) async throws -> Answer
  func post<Answer: Decodable>(endpoint: String, body: any Encodable & Sendable) async throws -> Answer
  func patch<Answer: Decodable>(endpoint: String) async throws -> Answer
}

extension APIServiceProtocol {
  func get<Answer: Decodable>(endpoint: String) async throws -> Answer {
    try await get(endpoint: endpoint, queryParams: [:])
  }
}

/// What the app knows of its server: set once, before the first view model.
@MainActor
enum APIConfig {
  static var baseURL = "http://127.0.0.1:8080"
  static var token: TokenProvider = { _ in throw BelfryError(.unauthorized) }
}

/// Any endpoint of the gateway's, as JSON. The specification leaves this class to the app.
struct APIService: APIServiceProtocol {
  private let baseURL: String
  private let token: TokenProvider
  private let http: any HTTPTransport

  /// As ``APIConfig`` says.
  @MainActor
  init() {
    self.init(baseURL: APIConfig.baseURL, token: APIConfig.token)
  }

  init(baseURL: String, token: @escaping TokenProvider, http: any HTTPTransport = URLSessionTransport()) {
    self.baseURL = baseURL
    self.token = token
    self.http = http
  }

  func get<Answer: Decodable>(endpoint: String, queryParams: [String: String]) async throws -> Answer {
    var parts = URLComponents()
    parts.queryItems = queryParams.sorted { $0.key < $1.key }.map { URLQueryItem(name: $0.key, value: $0.value) }
    let query = queryParams.isEmpty ? "" : "?\(parts.percentEncodedQuery ?? "")"
    return try await answer("GET", endpoint + query)
  }

  func post<Answer: Decodable>(endpoint: String, body: any Encodable & Sendable) async throws -> Answer {
    try await answer("POST", endpoint, body: try JSONEncoder().encode(body))
  }

  func patch<Answer: Decodable>(endpoint: String) async throws -> Answer {
    try await answer("PATCH", endpoint)
  }

  /// A refused token is asked for once again.
  private func answer<Answer: Decodable>(_ method: String, _ path: String, body: Data? = nil) async throws -> Answer {
    guard let url = URL(string: baseURL + path) else { throw BelfryError(.invalid, detail: "no address: \(path)") }
    var request = HTTPRequest(method: method, url: url, body: body)
    if body != nil { request.headers["Content-Type"] = "application/json" }
    var response = HTTPResponse(status: 401)
    for reason in [TokenReason.needed, .refused] where response.status == 401 {
      request.headers["Authorization"] = "Bearer \(try await token(reason))"
      response = try await http.send(request)
    }
    guard response.isSuccess else { throw BelfryError(code(response.status), status: response.status) }
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return try decoder.decode(Answer.self, from: response.body)
  }

  private func code(_ status: Int) -> BelfryError.Code {
    switch status {
    case 401: .unauthorized
    case 403: .forbidden
    case 404: .notFound
    case 429: .rateLimited
    case 400..<500: .invalid
    default: .unavailable
    }
  }
}
