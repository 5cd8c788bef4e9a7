import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Foundation's HTTP client: no cookies, no cache, no redirects, and connections that are kept for the next request.
public final class URLSessionSenderTransport: SenderTransport {
  private let session: URLSession
  private let collector = AnswerCollector()

  /// - Parameter connections: How many to one gateway at the same time, 1 to 256; further requests wait, within their timeouts.
  public init(connections: Int = 16) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = min(max(connections, 1), 256)
    configuration.httpShouldSetCookies = false
    configuration.httpCookieAcceptPolicy = .never
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    session = URLSession(configuration: configuration, delegate: collector, delegateQueue: nil)
  }

  deinit {
    session.finishTasksAndInvalidate()
  }

  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    try await withThrowingTaskGroup(of: TransportResponse.self) { group in
      group.addTask { try await self.collector.answer(to: Self.urlRequest(request), of: self.session) }
      // URLSession's own timeout begins anew with every byte.
      group.addTask {
        try await Task.sleep(for: request.timeout)
        throw TransportError("no answer within \(request.timeout)", isTransient: true)
      }
      defer { group.cancelAll() }
      guard let answer = try await group.next() else { throw CancellationError() }
      return answer
    }
  }

  private static func urlRequest(_ request: TransportRequest) -> URLRequest {
    var urlRequest = URLRequest(url: request.url)
    urlRequest.httpMethod = request.method
    urlRequest.httpBody = request.body
    urlRequest.timeoutInterval = max(1, request.timeout / .seconds(1))
    for (name, value) in request.headers { urlRequest.setValue(value, forHTTPHeaderField: name) }
    return urlRequest
  }
}
