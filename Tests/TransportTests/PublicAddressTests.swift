import NetworkAddresses
import Testing

/// What is in the internet, by name or address.
@Suite struct PublicAddressTests {
  @Test(arguments: [
    "fcm.googleapis.com", "updates.push.services.mozilla.com", "web.push.apple.com.", "wns2-by3p.notify.windows.com",
    "push.localhost.example.net", "10.example.net", "8.8.8.8", "172.32.0.1", "100.128.0.1", "192.169.0.1",
    "[2606:4700::1111]", "[::ffff:8.8.8.8]", "[2002:808:808::]", "[2001:2:1::1]", "[2001:20::1]", "[3fff:1000::1]",
    "[2001:4860::1]", "[2001:0:1:2:3:4:f7f7:f7f7]",
  ])
  func `a host in the internet is one, by name or address`(_ host: String) {
    #expect(PublicHost.isPublic(host))
  }

  @Test(arguments: [
    "localhost", "LocalHost.", "a.localhost", "gateway", "printer.local", "db.internal", "nas.home.arpa", "127.0.0.1",
    "127.1", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "10.1.2.3", "100.64.0.1", "169.254.169.254",
    "172.16.0.1", "172.31.255.255", "192.168.1.1", "192.0.2.1", "198.51.100.7", "203.0.113.9", "0.0.0.0", "224.0.0.1",
    "255.255.255.255", "8.8.8.256", "8.8.8.08", "[::1]", "[::]", "[fe80::1]", "[fd00::1]", "[fec0::1]", "[ff02::1]",
    "[::ffff:127.0.0.1]", "[::ffff:a01:203]", "[64:ff9b::10.0.0.1]", "[2002:7f00:1::]", "[2001:db8::1]",
    "192.88.99.1", "[3fff::1]", "[3fff:fff::1]", "[2001:2::1]", "[2001:10::1]", "[2001:1f:ffff::1]",
    "[64:ff9b:1::808:808]", "[::ffff:0:808:808]",
    // Teredo, of 10.0.0.1.
    "[2001:0:1:2:3:4:f5ff:fffe]", "%6cocalhost", "l%2Eocalhost.example.net", "a..example.net", "", "[1]", "[::1%lo]",
  ])
  func `a host in a private network is none, in whatever way it is written`(_ host: String) {
    #expect(!PublicHost.isPublic(host))
  }

  @Test func `what has neither 4 nor 16 bytes is no address`() {
    #expect(PublicAddress.isPublic([8, 8, 8, 8]))
    for count in [0, 3, 5, 15, 17] { #expect(!PublicAddress.isPublic([UInt8](repeating: 8, count: count))) }
  }
}
