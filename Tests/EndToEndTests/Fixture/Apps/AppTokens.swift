import BelfryClient
import Foundation
import Synchronization

/// What an app's backend gives its app: tokens of one user, and how often they were asked for.
final class AppTokens: Sendable {
  private struct State {
    var asked: [TokenReason] = []
    /// Those that the client has by now count as expired.
    var expired: Set<String> = []
    var given: Set<String> = []
  }

  /// One that was good an hour ago.
  private let old: String
  private let first: Duration
  private let mint: @Sendable (Duration) async throws -> String
  private let state = Mutex(State())

  /// - Parameter first: How long the first token is valid; later ones are for an hour.
  init(_ belfry: TestStack, _ person: Person, first: Duration = .seconds(3_600)) async throws {
    self.first = first
    mint = { lifetime in try await belfry.token(person.id, lifetime: lifetime) }
    old = try await belfry.token(person.id, lifetime: .seconds(-3_600))
  }

  var asked: [TokenReason] { state.withLock { $0.asked } }

  /// Ends the tokens that were given so far.
  func expire() {
    state.withLock { $0.expired = $0.given }
  }

  func next(_ reason: TokenReason) async throws -> String {
    let number = state.withLock { state in
      state.asked.append(reason)
      return state.asked.count
    }
    // Each is another text, even of the same second.
    let token = try await mint(number == 1 ? first : .seconds(3_600 + number))
    state.withLock { _ = $0.given.insert(token) }
    return token
  }

  /// What the server is shown in place of a token.
  fileprivate func shown(_ header: String) -> String {
    guard let token = header.split(separator: " ").last.map(String.init) else { return header }
    return state.withLock { $0.expired.contains(token) } ? "Bearer \(old)" : header
  }
}

/// The requests of an app: with tokens that may have expired, on a device that may have no network.
final class AppTransport: HTTPTransport {
  private let requests = URLSessionTransport()
  private let tokens: AppTokens
  private let offline = Mutex(false)

  init(_ tokens: AppTokens) {
    self.tokens = tokens
  }

  /// Whether the device says that it has no network, as `URLSession` does on Apple's platforms.
  var isOffline: Bool {
    get { offline.withLock { $0 } }
    set { offline.withLock { $0 = newValue } }
  }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    if isOffline { throw BelfryError(.offline) }
    var request = request
    if let header = request.headers["Authorization"] { request.headers["Authorization"] = tokens.shown(header) }
    return try await requests.send(request)
  }
}
