import Foundation
import HTTPTypes
import NIOCore
import ServiceRuntime

extension ClientNetwork {
  /// That of a TCP connection; with `trustsProxy` of the last address in `X-Forwarded-For`, which the nearest proxy added.
  init(_ remote: SocketAddress?, _ headers: HTTPFields, trustsProxy: Bool) {
    var address = remote
    if trustsProxy, let entry = headers[.forwardedFor]?.split(separator: ",").last {
      do {
        address = try SocketAddress(ipAddress: Self.host(entry.trimmingCharacters(in: .whitespaces)), port: 0)
      } catch {
        // What is no address is as good as none: the proxy's own counts.
      }
    }
    self.init(address)
  }

  /// Without the port that some proxies add: `192.0.2.1:5678`, `[2001:db8::1]:5678`.
  private static func host(_ entry: String) -> String {
    if entry.hasPrefix("["), let end = entry.firstIndex(of: "]") { return String(entry[..<end].dropFirst()) }
    let parts = entry.split(separator: ":", omittingEmptySubsequences: false)
    return parts.count == 2 ? String(parts[0]) : entry
  }
}
