package import Glibc

extension sockaddr_in {
  /// 127.0.0.1 with the port.
  package static func loopback(port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr = in_addr(s_addr: in_addr_t(0x7f00_0001).bigEndian)
    return address
  }
}
