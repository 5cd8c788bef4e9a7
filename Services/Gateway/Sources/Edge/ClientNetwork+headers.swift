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
        address = try SocketAddress(ipAddress: entry.trimmingCharacters(in: .whitespaces), port: 0)
      } catch {
        // What is no address is as good as none: the proxy's own counts.
      }
    }
    self.init(address)
  }
}
