public import BelfryClient
import BelfryJSON
import Foundation

/// The gateway.
extension InMemoryServer: HTTPTransport {
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    remember(request)
    if faults.delay > .zero {
      try await clock.sleep(for: min(faults.delay, request.timeout))
      if faults.delay >= request.timeout { throw BelfryError(.timeout) }
    }
    if faults.isOffline { throw BelfryError(.offline) }
    switch faults.take(request) {
    case nil: return answer(request)
    case .status(let status, let wait): return .problem(status, retryAfter: wait)
    case .unauthorized: return .problem(401)
    case .offline: throw BelfryError(.offline)
    case .timeout: throw BelfryError(.timeout)
    case .foreignAnswer: return .foreign
    case .lostAnswer:
      _ = answer(request)
      throw BelfryError(.unavailable)
    }
  }

  private func answer(_ request: HTTPRequest) -> HTTPResponse {
    defer { note() }
    let path = request.segments
    if let answer = openAnswer(request, path) { return answer }
    let token = request.header("Authorization").flatMap { $0.hasPrefix("Bearer ") ? String($0.dropFirst(7)) : nil }
    guard let user = token.flatMap({ tokens.user(of: $0) }) else { return .problem(401) }
    wake(user)
    if path.last == "negotiate" { return negotiation() }
    guard path.starts(with: ["api", "v1"]), path.count > 2 else { return .notFound }
    let rest = Array(path.dropFirst(3))
    switch (path[2], rest.first) {
    case ("devices", _): return devices(request, rest, user)
    case ("notifications", "device-token"): return nativeDevice(request, user)
    case ("notifications", "preferences"): return preferences(request, Array(rest.dropFirst()), user)
    case ("notifications", "muted"): return mutes(request, Array(rest.dropFirst()), user)
    case ("notifications", _): return inbox(request, rest, user)
    default: return .notFound
    }
  }

  /// What needs no token.
  private func openAnswer(_ request: HTTPRequest, _ path: [String]) -> HTTPResponse? {
    switch (request.method, path.first) {
    case ("GET", "bell") where path == ["bell", "config.json"]:
      let limits = JSONValue.object([JSONMember("pageSize", 50), JSONMember("notificationIds", 1_000)])
      let members = [JSONMember("hub", "/hubs/notifications"), JSONMember("limits", limits)]
      return .json(.object(members), etag: "\"memory\"")
    case ("GET", "catalogue") where path.count == 1:
      return .json(catalogue.json, etag: "\"memory\"", cacheControl: "public, max-age=300")
    case ("POST", "api") where path.count == 4 && path[2] == "receipts":
      guard let event = request.json?["event"]?.string, ["displayed", "opened"].contains(event) else {
        return .invalid("event", "expected displayed or opened")
      }
      return .noContent
    default: return nil
    }
  }

  private func negotiation() -> HTTPResponse {
    let transports = ["WebSockets", "ServerSentEvents"].map { name in
      JSONValue.object([
        JSONMember("transport", name), JSONMember("transferFormats", .array([.string("Text")])),
      ])
    }
    return .json(
      .object([
        JSONMember("negotiateVersion", 1), JSONMember("connectionId", "memory"),
        JSONMember("connectionToken", "memory-\(opened + 1)"), JSONMember("availableTransports", .array(transports)),
      ])
    )
  }
}
