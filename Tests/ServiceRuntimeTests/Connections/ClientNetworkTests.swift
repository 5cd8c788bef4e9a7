import NIOCore
import TestSupport
import Testing

@testable import ServiceRuntime

@Suite struct ClientNetworkTests {
  private func network(_ address: String) throws -> ClientNetwork {
    ClientNetwork(try SocketAddress(ipAddress: address, port: 1))
  }

  @Test func `an IPv4 address counts by itself, an IPv6 one by its household`() throws {
    #expect(try network("192.0.2.1") == network("192.0.2.1"))
    #expect(try network("192.0.2.1") != network("192.0.2.2"))
    #expect(try network("2001:db8:1:2::1") == network("2001:db8:1:2:ffff::9"))
    #expect(try network("2001:db8:1:2::1") != network("2001:db8:1:3::1"))
    #expect(try network("2001:db8::1") == network("2001:db8::2"))
    #expect(try network("2001:db8::1") != network("2001:db8:0:1::1"))
  }

  @Test func `an IPv4 address is the same through a socket for both families`() throws {
    #expect(try network("::ffff:192.0.2.1") == network("192.0.2.1"))
    #expect(try network("::ffff:192.0.2.1") != network("::ffff:192.0.2.2"))
  }

  @Test func `a network has as many connections as it may, and others have theirs`() throws {
    let counts = ConnectionCounts(maximumPerNetwork: 2, logger: .quiet)
    let ann = try network("192.0.2.1")
    let ben = try network("192.0.2.2")
    #expect(counts.admit(ann))
    #expect(counts.admit(ann))
    #expect(!counts.admit(ann))
    #expect(counts.admit(ben))
    counts.release(ann)
    #expect(counts.admit(ann))
    #expect(!counts.admit(ann))
  }
}
