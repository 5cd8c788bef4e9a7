import Foundation
import BelfryJSON

/// Where to connect to, and how: what the hub's negotiation answered.
struct HubAddress: Sendable, Equatable {
  private static let maximumRedirects = 5

  /// With the connection's token in `id`.
  let url: URL
  /// Whose token the connection presents.
  let bearer: RESTClient.Bearer
  /// The names of the hub's transports.
  let transports: [String]

  /// Asks the hub, and follows it from one address to the next.
  static func negotiate(_ hub: URL, by rest: RESTClient) async throws -> HubAddress {
    var (hub, bearer) = (hub, RESTClient.Bearer.user)
    for _ in 0...maximumRedirects {
      let request = HTTPRequest(
        method: "POST",
        url: try address(hub, "/negotiate", "negotiateVersion", "1"),
        timeout: rest.timeout
      )
      guard let answer = try rest.json(await rest.send(request, bearer: bearer)) else { throw BelfryError(.malformed) }
      if let error = answer["error"]?.string { throw BelfryError(.unavailable, status: 200, detail: error) }
      if let text = answer["url"]?.string {
        guard let next = URL(string: text, relativeTo: hub)?.absoluteURL else {
          throw BelfryError(.malformed, status: 200)
        }
        hub = next
        if let token = answer["accessToken"]?.string { bearer = .other(token) }
        continue
      }
      guard let token = answer["connectionToken"]?.string, let transports = answer["availableTransports"]?.array else {
        throw BelfryError(.malformed, status: 200)
      }
      return HubAddress(
        url: try address(hub, "", "id", token),
        bearer: bearer,
        transports: transports.compactMap { $0["transport"]?.string }
      )
    }
    throw BelfryError(.unavailable, detail: "The hub sends from one address to the next.")
  }

  /// The hub's address, with more of a path and a query.
  static func address(_ hub: URL, _ path: String, _ name: String, _ value: String) throws -> URL {
    guard var parts = URLComponents(url: hub, resolvingAgainstBaseURL: true) else { throw BelfryError(.malformed) }
    while parts.percentEncodedPath.hasSuffix("/") { parts.percentEncodedPath.removeLast() }
    parts.percentEncodedPath += path
    let query = parts.percentEncodedQuery.map { $0 + "&" } ?? ""
    parts.percentEncodedQuery = "\(query)\(name)=\(percentEncoded(value))"
    guard let url = parts.url else { throw BelfryError(.malformed) }
    return url
  }
}
