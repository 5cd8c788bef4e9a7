public import Foundation

/// One request, one answer. ``URLSessionTransport`` by default.
public protocol HTTPTransport: Sendable {
  /// Sends a request and gives the answer, whatever its status is. Follows no redirects: they would take the token to another place.
  ///
  /// - Throws: ``BelfryError`` `offline`, `timeout` or `unavailable` where there is no answer; `CancellationError`.
  func send(_ request: HTTPRequest) async throws -> HTTPResponse
}

/// A request of the client.
public struct HTTPRequest: Sendable, Equatable {
  /// In upper case: `GET`.
  public var method: String
  /// The whole address, with its query.
  public var url: URL
  /// By their names; one value each.
  public var headers: [String: String]
  /// Nil for none.
  public var body: Data?
  /// How long all of it may take.
  public var timeout: Duration

  /// The longest body of an answer that is taken, in bytes: of a longer one the request ends in ``BelfryError`` `malformed`.
  public var maximumBody = HTTPResponse.maximumBody

  /// Without headers and body, with 15 seconds, unless said otherwise.
  public init(
    method: String,
    url: URL,
    headers: [String: String] = [:],
    body: Data? = nil,
    timeout: Duration = .seconds(15)
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeout = timeout
  }
}

/// An answer of the server.
public struct HTTPResponse: Sendable, Equatable {
  /// The longest body that is taken, in bytes. A page of 50 notifications has 5 MB at most.
  public static let maximumBody = 16 << 20

  /// Of HTTP, 100 to 599.
  public let status: Int
  /// By lower-case names.
  public let headers: [String: String]
  /// Empty where there is none.
  public let body: Data

  /// Header names may be in any case.
  public init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
    self.status = status
    self.headers = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }) { _, last in last }
    self.body = body
  }

  /// Whether the status is 2xx.
  public var isSuccess: Bool { (200..<300).contains(status) }
}
