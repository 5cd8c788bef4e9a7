import Foundation

/// Takes connections on a free port of this machine, and never says anything.
final class SilentServer {
  private struct Failure: Error {}

  private let socket: Int32
  let port: UInt16

  init() throws {
    let socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard socket >= 0 else { throw Failure() }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(socket, address, length) == 0 && listen(socket, 8) == 0 && getsockname(socket, address, &length) == 0
      }
    }
    guard isListening else {
      close(socket)
      throw Failure()
    }
    self.socket = socket
    port = UInt16(bigEndian: address.sin_port)
  }

  deinit {
    close(socket)
  }
}
