import LocalStack
import TestSupport
import Testing
import Transport

/// What a foreign name server says, read by ours.
@Suite(.serialized, .timeLimit(.minutes(2))) struct DNSClientTests {
  private static let zone: [String: [String]] = [
    "example.com A": ["192.0.2.7", "192.0.2.8"],
    "example.com AAAA": ["2001:db8::7"],
    "example.com MX": ["10 mx1.example.com.", "20 mx2.example.com."],
    "example.com TXT": [#""v=spf1 ip4:192.0.2.7" " ~all""#, #""other""#],
    "7.2.0.192.in-addr.arpa PTR": ["mail.example.com."],
    "null.example MX": ["0 ."],
    "alias.example CNAME": ["second.example."],
    "second.example CNAME": ["example.com."],
    "large.example TXT": (0..<30).map { "\"\($0) " + String(repeating: "x", count: 200) + "\"" },
    "forged.test TXT": [#""the true one""#],
  ]

  private func client(_ server: DNSClient.Server, timeout: Duration = .seconds(5)) -> DNSClient {
    DNSClient(servers: [server], timeout: timeout)
  }

  /// Nobody listens there.
  private func nobody() throws -> DNSClient.Server {
    let port = try FreePort.find()
    return try #require(DNSClient.Server("127.0.0.1:\(port)"))
  }

  @Test func `records of each kind are read`() async throws {
    try await DNSServer.with(Self.zone) { server in
      let client = client(server)
      let addresses = try await client.records(.a, of: "example.com").compactMap(\.address?.description)
      #expect(addresses.sorted() == ["192.0.2.7", "192.0.2.8"])
      #expect(try await client.records(.aaaa, of: "EXAMPLE.com.").compactMap(\.address) == [IPAddress("2001:db8::7")])
      let hosts = try await client.records(.mx, of: "example.com").compactMap(\.mailHost)
      #expect(hosts.sorted() == ["mx1.example.com", "mx2.example.com"])
      let texts = try await client.records(.txt, of: "example.com").compactMap(\.text)
      #expect(texts.sorted() == ["other", "v=spf1 ip4:192.0.2.7 ~all"])
      let address = try #require(IPAddress("192.0.2.7"))
      #expect(try await client.records(.ptr, of: address.reverseName) == [.name("mail.example.com")])
      #expect(try await client.records(.mx, of: "null.example") == [.mail(preference: 0, host: "")])
    }
  }

  @Test func `aliases are followed, and what is not there is no record`() async throws {
    try await DNSServer.with(Self.zone) { server in
      let client = client(server)
      let exchangers = try await client.records(.mx, of: "alias.example")
      #expect(exchangers.count == 2)
      #expect(try await client.records(.txt, of: "nobody.example") == [])
      #expect(try await client.records(.ptr, of: "example.com") == [])
    }
  }

  @Test func `an answer too large for a datagram comes over TCP`() async throws {
    try await DNSServer.with(Self.zone) { server in
      let records = try await client(server).records(.txt, of: "large.example")
      #expect(records.count == 30)
    }
  }

  @Test func `answers to other questions are passed over`() async throws {
    try await DNSServer.with(Self.zone) { server in
      let records = try await client(server).records(.txt, of: "forged.test")
      #expect(records == [.text("the true one")])
    }
  }

  @Test func `a server that fails, is silent or talks nonsense is an error`() async throws {
    try await DNSServer.with(Self.zone) { server in
      await #expect(throws: DNSError.refused(code: 2)) { try await client(server).records(.a, of: "failing.test") }
      await #expect(throws: DNSError.malformed) { try await client(server).records(.a, of: "garbage.test") }
      await #expect(throws: DNSError.timeout) {
        try await client(server, timeout: .milliseconds(200)).records(.a, of: "silent.test")
      }
    }
  }

  @Test func `the next server is asked where one cannot be reached`() async throws {
    let nobody = try nobody()
    await #expect(throws: DNSError.unreachable) {
      try await DNSClient(servers: [nobody], timeout: .seconds(5)).records(.a, of: "example.com")
    }
    try await DNSServer.with(Self.zone) { server in
      let client = DNSClient(servers: [nobody, server], timeout: .seconds(5))
      let records = try await client.records(.a, of: "example.com")
      #expect(records.count == 2)
    }
  }

  @Test(arguments: ["", "a..example", String(repeating: "x", count: 64) + ".example", "a b.example", "grüße.example"])
  func `what is no name is not asked`(_ name: String) async throws {
    let nobody = try nobody()
    await #expect(throws: DNSError.badName) { try await client(nobody).records(.a, of: name) }
  }

  @Test func `servers are those of resolv.conf, else this machine`() {
    let configuration = """
      # a comment
      search example.com
      nameserver 192.0.2.53
      nameserver\t2001:db8::53
      options edns0
      nameserver fe80::1%eth0
      """
    #expect(
      DNSClient.servers(in: configuration) == [DNSClient.Server("192.0.2.53"), DNSClient.Server("2001:db8::53")]
    )
    #expect(DNSClient.servers(in: "") == [DNSClient.Server("127.0.0.1")])
  }

  @Test(arguments: ["", "dns.example", "192.0.2.1:0", "192.0.2.1:65536", "[192.0.2.1]:53", "2001:db8::1:", "[::1]"])
  func `what is no name server's address is none`(_ text: String) {
    #expect(DNSClient.Server(text) == nil)
  }

  @Test func `a name server has port 53 unless it says another`() {
    #expect(DNSClient.Server("[::1]:5353")?.port == 5_353)
    #expect(DNSClient.Server("127.0.0.1:5353")?.port == 5_353)
    #expect(DNSClient.Server("2001:db8::1")?.port == 53)
  }
}
