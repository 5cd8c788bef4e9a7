import NIOCore
import NIOHTTP1
import ServiceRuntime

extension ClientNetwork {
  /// That of a TCP connection; with `trustsProxy` of the last address in `X-Forwarded-For`, which the nearest proxy added.
  init(_ remote: SocketAddress?, _ headers: HTTPHeaders, trustsProxy: Bool) {
    var address = remote
    if trustsProxy, let text = headers[canonicalForm: "X-Forwarded-For"].last {
      do {
        address = try SocketAddress(ipAddress: String(text), port: 0)
      } catch {
        // What is no address is as good as none: the proxy's own counts.
      }
    }
    self.init(address)
  }
}
