import BelfryClient
import BelfryJSON
import Foundation

/// Preferences, quiet hours and mutes over REST.
extension InMemoryServer {
  private typealias Refusal = (field: String, message: String)

  /// - Parameter path: What follows `/api/v1/notifications/preferences`.
  func preferences(_ request: HTTPRequest, _ path: [String], _ user: String) -> HTTPResponse {
    let current = change(user) { $0.preferences }
    if request.method == "GET", path.isEmpty { return .json(current.json(now: clock.now), etag: current.etag) }
    guard request.method == "PUT" else { return .problem(405) }
    if let wanted = request.header("If-Match"), wanted != "*", wanted != current.etag {
      return .problem(412, detail: "read it again, and say If-Match with its ETag")
    }
    guard let body = request.json, body.members != nil else { return .invalid("", "expected an object") }
    var next = current
    let refusals: [Refusal]
    switch path.first {
    case nil: refusals = next.update(body, now: clock.now)
    case "quiet-hours": refusals = next.updateQuietHours(body)
    default: return .notFound
    }
    if !refusals.isEmpty { return .problem(400, errors: refusals) }
    if next.json(now: clock.now) != current.json(now: clock.now) { next.version += 1 }
    change(user) { [next] in $0.preferences = next }
    return .json(next.json(now: clock.now), etag: next.etag)
  }

  /// - Parameter path: What follows `/api/v1/notifications/muted`.
  func mutes(_ request: HTTPRequest, _ path: [String], _ user: String) -> HTTPResponse {
    let now = clock.now
    if request.method == "GET", path.isEmpty {
      let muted = (users[user]?.mutes ?? [:]).filter { $0.value > now }
        .sorted { ($0.key.type, $0.key.id) < ($1.key.type, $1.key.id) }
        .map { entity, until in
          JSONValue.object([
            JSONMember("entityType", entity.type), JSONMember("entityId", entity.id),
            JSONMember("until", until == .distantFuture ? nil : until.wireText),
          ])
        }
      return .json(.object([JSONMember("muted", .array(muted)), JSONMember("hasMore", false)]))
    }
    guard path.count == 2 else { return .notFound }
    // Compared without regard to case.
    let entity = RelatedEntity(type: path[0].lowercased(), id: path[1].lowercased())
    switch request.method {
    case "DELETE": change(user) { $0.mutes[entity] = nil }
    case "PUT":
      let text = request.json?["until"]
      let until = text.map { $0.string.flatMap { Date(wire: $0) } } ?? .distantFuture
      guard let until, until > now else { return .invalid("until", "expected a time later than now") }
      change(user) { $0.mutes[entity] = until }
    default: return .problem(405)
    }
    return .noContent
  }
}
