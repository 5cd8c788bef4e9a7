/// The hosts of the push services to which browsers' subscriptions may lead: those of the browsers that there are, and a deployment's
/// own. Gateways take no subscription of another host, and dispatchers send nothing there.
public struct PushServiceHosts: Sendable, Equatable, LosslessStringConvertible {
  /// Chromium's, Firefox's, Safari's and Edge's.
  public static let browsers = [
    "fcm.googleapis.com", "jmt17.google.com", "push.services.mozilla.com", "push.apple.com", "notify.windows.com",
  ]
  /// Those alone.
  public static let standard = PushServiceHosts(own: [])

  private struct Own: Sendable, Equatable {
    let host: String
    /// Nil: 443.
    let port: Int?

    var text: String { port.map { "\(host):\($0)" } ?? host }
  }

  private let own: [Own]

  /// The deployment's own, with commas between.
  public var description: String { own.map(\.text).joined(separator: ",") }

  private init(own: [Own]) {
    self.own = own
  }

  /// From the deployment's own, with commas between: each a host, and with a colon its port if that is not 443. Nil if one is none.
  public init?(_ description: String) {
    let texts = description.split(separator: ",").map { text in
      String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
    let own = texts.filter { !$0.isEmpty }.map { text in
      PushEndpoint.parts(of: text[...]).map { Own(host: $0.host, port: $0.port == 443 ? nil : $0.port) }
    }
    guard own.allSatisfy({ $0 != nil }) else { return nil }
    self.own = own.compactMap(\.self)
  }

  /// Whether the endpoint's host is one of them or below one, at the port that belongs to it.
  public func allow(_ endpoint: PushEndpoint) -> Bool { service(of: endpoint) != nil }

  /// The one that allows the endpoint: the push service, however many hosts it has below. Nil if none does.
  public func service(of endpoint: PushEndpoint) -> String? {
    if endpoint.port == 443, let host = Self.browsers.first(where: { Self.isSame(endpoint.host, as: $0) }) {
      return host
    }
    return own.first { Self.isSame(endpoint.host, as: $0.host) && endpoint.port == $0.port ?? 443 }?.text
  }

  private static func isSame(_ host: String, as listed: String) -> Bool {
    host == listed || host.hasSuffix(".\(listed)")
  }
}
