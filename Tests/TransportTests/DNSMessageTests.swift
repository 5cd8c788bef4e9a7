import TestSupport
import Testing

@testable import Transport

@Suite struct DNSMessageTests {
  private static let question = try? DNSMessage.question(.a, of: "a.example", id: 7)

  /// An answer with one address, whose owner points back at the question.
  private func answer(flags: [UInt8] = [0x81, 0x80], id: UInt8 = 7, record: [UInt8]? = nil) throws -> [UInt8] {
    let question = try #require(Self.question)
    // Without the additional record of 11 bytes.
    let asked = question[12..<(question.count - 11)]
    let given = record ?? [0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 7]
    var bytes: [UInt8] = [0, id]
    bytes += flags
    bytes += [0, 1, 0, 1, 0, 0, 0, 0]
    bytes += asked
    bytes += given
    return bytes
  }

  private func read(_ bytes: [UInt8]) throws(DNSError) -> DNSMessage.Answer {
    try DNSMessage.answer(bytes, to: .a, of: "A.example.", id: 7)
  }

  @Test func `a question asks for recursion and allows larger datagrams`() throws {
    var expected: [UInt8] = [1, 2, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 97, 7]
    expected += "example".utf8
    expected += [0, 0, 16, 0, 1, 0, 0, 41, 4, 208, 0, 0, 0, 0, 0, 0]
    #expect(try DNSMessage.question(.txt, of: "a.example", id: 0x0102) == expected)
  }

  @Test func `an answer's names may point back`() throws {
    let address = try #require(IPAddress("192.0.2.7"))
    #expect(try read(answer()) == .records([.address(address)]))
  }

  @Test func `another number or another question is not ours, and a cut answer is said`() throws {
    #expect(try read(answer(id: 8)) == .foreign)
    #expect(try read(answer(flags: [0x01, 0x80])) == .foreign)
    #expect(try read(answer(flags: [0x83, 0x80])) == .truncated)
    #expect(try DNSMessage.answer(answer(), to: .a, of: "b.example", id: 7) == .foreign)
    #expect(try DNSMessage.answer(answer(), to: .txt, of: "a.example", id: 7) == .foreign)
  }

  @Test func `no name is no record, and any other code is an error`() throws {
    #expect(try read(answer(flags: [0x81, 0x83])) != .foreign)
    let failing = try answer(flags: [0x81, 0x85])
    #expect(throws: DNSError.refused(code: 5)) { try read(failing) }
  }

  @Test(
    arguments: [
      // A name that points at itself, ahead, and beyond the end; a label that is none; a record that is longer than the message.
      [0xC0, 27, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 7], [0xC0, 60, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 7],
      [0xFF, 0xFF, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 7],
      [0x80, 0, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 7],
      [0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 5, 192, 0, 2, 7], [0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 3, 192, 0, 2], [],
    ] as [[UInt8]]
  )
  func `a broken answer is an error`(_ record: [UInt8]) throws {
    let bytes = try answer(record: record)
    #expect(throws: DNSError.malformed) { try read(bytes) }
  }

  @Test func `whatever a server sends is read or refused`() throws {
    var dice = SplitMix64(seed: 20_261_128)
    let good = try answer()
    for _ in 0..<20_000 {
      var bytes = good
      for _ in 0...Int.random(in: 0..<6, using: &dice) {
        bytes[Int.random(in: 0..<bytes.count, using: &dice)] = UInt8.random(in: 0 ... .max, using: &dice)
      }
      bytes.removeLast(Int.random(in: 0..<8, using: &dice))
      for question in [DNSQuestion.a, .aaaa, .mx, .txt, .ptr] {
        _ = try? DNSMessage.answer(bytes, to: question, of: "a.example", id: 7)
      }
    }
  }
}

@Suite struct IPAddressTests {
  @Test(arguments: ["192.0.2.7", "::1", "2001:db8::ff00:42:8329", "::"])
  func `an address is written as it was read`(_ text: String) throws {
    #expect(try #require(IPAddress(text)).description == text)
  }

  @Test(arguments: ["", "192.0.2", "192.0.2.256", "::g", "fe80::1%eth0", "[::1]", "localhost"])
  func `what is none is not read`(_ text: String) {
    #expect(IPAddress(text) == nil)
  }

  @Test func `an address has its name in reverse`() throws {
    #expect(try #require(IPAddress("192.0.2.7")).reverseName == "7.2.0.192.in-addr.arpa")
    // The example of RFC 3596, section 2.5.
    #expect(
      try #require(IPAddress("4321:0:1:2:3:4:567:89ab")).reverseName
        == "b.a.9.8.7.6.5.0.4.0.0.0.3.0.0.0.2.0.0.0.1.0.0.0.0.0.0.0.1.2.3.4.ip6.arpa"
    )
  }

  @Test(arguments: [
    ("192.0.2.7", "192.0.2.0", 24, true), ("192.0.3.7", "192.0.2.0", 24, false), ("192.0.3.7", "192.0.2.0", 23, true),
    ("10.0.0.1", "192.0.2.0", 0, true), ("192.0.2.7", "192.0.2.7", 32, true), ("192.0.2.6", "192.0.2.7", 32, false),
    ("192.0.2.7", "::", 0, false), ("2001:db8::1", "2001:db8::", 32, true), ("2001:db9::1", "2001:db8::", 32, false),
    ("2001:db9::1", "2001:db8::", 31, true), ("192.0.2.7", "192.0.2.7", 33, false),
  ]) func `a network has the addresses that begin like it`(
    _ address: String,
    _ network: String,
    _ length: Int,
    _ isIn: Bool
  )
    throws
  {
    let (address, network) = (try #require(IPAddress(address)), try #require(IPAddress(network)))
    #expect(address.isIn(network, prefix: length) == isIn)
  }
}
