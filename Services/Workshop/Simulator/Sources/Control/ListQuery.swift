import Hummingbird

/// The query of a list: `limit` (1 to 10,000, default 100), `after` (a sequence), and the filters that the list knows.
struct ListQuery {
  static let maximumLimit = 10_000

  private(set) var limit = 100
  private(set) var after = 0
  private(set) var filters: [String: String] = [:]

  init(_ request: Request, filters known: [String]) throws(ControlError) {
    for (key, value) in request.uri.queryParameters {
      let name = String(key)
      let text = String(value)
      switch name {
      case "limit":
        guard let limit = Int(text), (1...Self.maximumLimit).contains(limit) else {
          throw .invalid(name, "expected an integer from 1 to \(Self.maximumLimit)")
        }
        self.limit = limit
      case "after":
        guard let after = Int(text), after >= 0 else { throw .invalid(name, "expected a sequence, 0 or more") }
        self.after = after
      default:
        guard known.contains(name) else {
          throw .invalid(name, "unknown; known are limit, after, \(known.joined(separator: ", "))")
        }
        filters[name] = text
      }
    }
  }
}
