import Foundation
import BelfryJSON

/// The user's token: asked for once for all who wait, once more when it was refused, and not at all after that.
actor TokenStore {
  private let provider: TokenProvider
  private let clock: any ClientClock
  private let limit: Duration
  private let lifetime: Lifetime?
  private var token: String?
  private var asking: Task<String, any Error>?
  /// Why no token is asked for: the server has refused two, or there is none.
  private var refusal: BelfryError?
  private var isOver = false
  /// Whose token it was at first.
  private var owner: String??
  /// Who is told of a user that is refused, and of a token that is somebody else's.
  private let listeners = Locked<Listeners>(Listeners())

  private struct Listeners: Sendable {
    var unauthorized: @Sendable (BelfryError) -> Void = { _ in }
    var otherUser: @Sendable () -> Void = {}
  }

  /// - Parameter lifetime: Of the user: what is asked for ends with it.
  init(_ provider: @escaping TokenProvider, clock: any ClientClock, limit: Duration, lifetime: Lifetime? = nil) {
    self.provider = provider
    self.clock = clock
    self.limit = limit
    self.lifetime = lifetime
  }

  /// Says who is told of a user that is refused, and why.
  nonisolated func onUnauthorized(_ listener: @escaping @Sendable (BelfryError) -> Void) {
    listeners.withLock { $0.unauthorized = listener }
  }

  /// Says who is told of a token that is somebody else's.
  nonisolated func onOtherUser(_ listener: @escaping @Sendable () -> Void) {
    listeners.withLock { $0.otherUser = listener }
  }

  /// The token; another one than the one that was refused.
  ///
  /// - Parameters:
  ///   - refused: The one that was refused.
  ///   - reason: What the server said of it.
  /// - Throws: ``BelfryError`` `token`, `unauthorized`, `ended`.
  func current(refused: String? = nil, _ reason: BelfryError? = nil) async throws -> String {
    if let refusal { throw refusal }
    if let token, token != refused { return token }
    if isGone { throw BelfryError(.ended) }
    let answer: String
    do {
      answer = try await ask(refused == nil ? .needed : .refused)
    } catch {
      throw isGone ? BelfryError(.ended) : error
    }
    if isGone { throw BelfryError(.ended) }
    if answer == refused { throw unauthorized(reason) }
    return answer
  }

  /// Signed out, or nobody holds the client any more.
  private var isGone: Bool { isOver || lifetime?.isOver ?? false }

  var isBlocked: Bool { refusal != nil }

  /// Whose token it is; nil where that is not known.
  var user: String? { owner ?? nil }

  /// The server has refused two tokens in a row, the last one of them this.
  func refuse(_ refused: String, _ reason: BelfryError) -> BelfryError {
    // Somebody may have let the user try again meanwhile.
    token == refused ? unauthorized(reason) : reason
  }

  /// Lets a refused user try again, with another token.
  func unblock() {
    if isBlocked { token = nil }
    refusal = nil
  }

  /// No token is asked for any more: it may be the next user's. The last one is still given, for what says goodbye.
  func end() {
    isOver = true
    asking?.cancel()
  }

  private func unauthorized(_ reason: BelfryError? = nil) -> BelfryError {
    let error = reason ?? BelfryError(.unauthorized, status: 401)
    refusal = error
    listeners.withLock(\.unauthorized)(error)
    return error
  }

  private func ask(_ reason: TokenReason) async throws -> String {
    if let asking { return try await asking.value }
    let (provider, clock, limit) = (provider, clock, limit)
    let asking = Task {
      let late = BelfryError(.token, detail: "The token did not come in time.")
      let result: Result<String, any Error>
      do {
        result = .success(try await within(limit, of: clock, late: late) { try await provider(reason) })
      } catch {
        result = .failure(error)
      }
      self.asking = nil
      return try take(result)
    }
    self.asking = asking
    lifetime?.cancelsWithIt(asking)
    return try await asking.value
  }

  private func take(_ result: Result<String, any Error>) throws -> String {
    switch result {
    case .failure(let error as BelfryError) where [.unauthorized, .token].contains(error.code):
      throw error.code == .unauthorized ? unauthorized() : error
    case .failure(let error):
      throw BelfryError(
        .token,
        detail: String(describing: type(of: error)),
        retryAfter: (error as? BelfryError)?.retryAfter
      )
    case .success(let given):
      // Read from a file or an answer, it often ends in a line feed.
      let answer = given.trimmingCharacters(in: .whitespacesAndNewlines)
      if answer.isEmpty { throw unauthorized() }
      guard answer.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
        throw BelfryError(.token, detail: "The token has characters that no header can have.")
      }
      let subject = Self.subject(of: answer)
      if let owner, owner != subject {
        if !isOver { listeners.withLock(\.otherUser)() }
        throw BelfryError(.ended)
      }
      owner = .some(subject)
      token = answer
      return answer
    }
  }

  /// Whose token it is, as far as that can be read from it.
  static func subject(of token: String) -> String? {
    let parts = token.split(separator: ".")
    guard parts.count == 3 else { return nil }
    var text = String(parts[1]).replacing("-", with: "+").replacing("_", with: "/")
    text += String(repeating: "=", count: (4 - text.count % 4) % 4)
    guard let claims = Data(base64Encoded: text), let json = try? JSONParser.parse(Array(claims)) else { return nil }
    return json["sub"]?.string ?? json["nameid"]?.string
  }
}
