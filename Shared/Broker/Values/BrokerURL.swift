import Foundation

/// The parts of an AMQP URL with one or more hosts. https://www.rabbitmq.com/docs/uri-spec
///
/// Errors name the part that is wrong, never its text: it may be the password.
struct BrokerURL {
  let usesTLS: Bool
  let user: String
  let password: String
  let hosts: [BrokerConfiguration.Host]
  let virtualHost: String

  init(_ url: String) throws(BrokerError) {
    guard let scheme = url.range(of: "://") else { throw Self.malformed("it must start with amqp:// or amqps://") }
    switch url[..<scheme.lowerBound] {
    case "amqp": usesTLS = false
    case "amqps": usesTLS = true
    default: throw Self.malformed("it must start with amqp:// or amqps://")
    }

    var rest = url[scheme.upperBound...]
    guard !rest.contains("?") else { throw Self.malformed("query parameters are not supported") }

    if let at = rest.lastIndex(of: "@") {
      let parts = rest[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      user = try Self.decoded(parts[0], "user")
      password = parts.count > 1 ? try Self.decoded(parts[1], "password") : ""
      rest = rest[rest.index(after: at)...]
    } else {
      user = "guest"
      password = "guest"
    }

    if let slash = rest.firstIndex(of: "/") {
      let path = try Self.decoded(rest[rest.index(after: slash)...], "virtual host")
      virtualHost = path.isEmpty ? "/" : path
      rest = rest[..<slash]
    } else {
      virtualHost = "/"
    }

    var hosts: [BrokerConfiguration.Host] = []
    for text in rest.split(separator: ",", omittingEmptySubsequences: false) {
      hosts.append(try Self.host(text, defaultPort: usesTLS ? 5_671 : 5_672))
    }
    self.hosts = hosts
  }

  private static func host(_ text: Substring, defaultPort: Int) throws(BrokerError) -> BrokerConfiguration.Host {
    var name = text
    var port = defaultPort
    let afterBracket = text.lastIndex(of: "]") ?? text.startIndex
    if let colon = text[afterBracket...].lastIndex(of: ":") {
      name = text[..<colon]
      guard let number = Int(text[text.index(after: colon)...]), (1...65_535).contains(number) else {
        throw malformed("a port is not a number from 1 to 65535")
      }
      port = number
    }
    if name.hasPrefix("["), name.hasSuffix("]") { name = name.dropFirst().dropLast() }
    guard !name.isEmpty else { throw malformed("a host is missing") }
    return BrokerConfiguration.Host(name: String(name), port: port)
  }

  private static func decoded(_ text: Substring, _ part: String) throws(BrokerError) -> String {
    guard let result = String(text).removingPercentEncoding, !result.utf8.contains(0) else {
      throw malformed("the \(part) is not percent-encoded UTF-8")
    }
    return result
  }

  private static func malformed(_ reason: String) -> BrokerError {
    BrokerError(.invalidConfiguration, "The broker's URL is malformed: \(reason).")
  }
}
