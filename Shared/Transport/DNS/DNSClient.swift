import DriverExecutor
import Glibc

/// Asks name servers that find out by themselves, one question after another: for checks, not for many questions a second.
///
/// Answers are taken as the servers give them, without DNSSEC. It waits for them on a queue of its own.
public actor DNSClient: DNSResolving {
  /// A name server: an address, and its port.
  public struct Server: Sendable, Hashable {
    public var address: IPAddress
    public var port: UInt16

    public init(address: IPAddress, port: UInt16 = 53) {
      self.address = address
      self.port = port
    }

    /// `192.0.2.1`, `192.0.2.1:5353`, `2001:db8::1` or `[2001:db8::1]:5353`; nil of anything else.
    public init?(_ text: String) {
      if let address = IPAddress(text) {
        self.init(address: address)
      } else if let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0 {
        let host = text[..<colon]
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        guard let address = IPAddress(String(isBracketed ? host.dropFirst().dropLast() : host)),
          address.isIPv4 != isBracketed
        else { return nil }
        self.init(address: address, port: port)
      } else {
        return nil
      }
    }
  }

  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let executor = QueueExecutor(label: "belfry.dns")
  private let servers: [Server]
  private let timeout: Duration

  /// - Parameters:
  ///   - servers: Asked in turn, twice; as resolv.conf(5) has it, those beyond the third are not.
  ///   - timeout: How long each may take each time.
  public init(servers: [Server], timeout: Duration = .seconds(3)) {
    self.servers = Array(servers.prefix(3))
    self.timeout = timeout
  }

  /// Those that a `resolv.conf` names; this machine where it names none.
  public static func servers(in configuration: String) -> [Server] {
    let named = configuration.split(whereSeparator: \.isNewline).compactMap { line -> Server? in
      let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
      guard words.count >= 2, words[0] == "nameserver" else { return nil }
      return IPAddress(String(words[1])).map { Server(address: $0) }
    }
    let own = IPAddress(bytes: [127, 0, 0, 1]).map { [Server(address: $0)] } ?? []
    return named.isEmpty ? own : named
  }

  public func records(_ question: DNSQuestion, of name: String) async throws(DNSError) -> [DNSRecord] {
    var last = DNSError.unreachable
    for _ in 0..<2 {
      for server in servers {
        do throws(DNSError) {
          return try ask(server, question, of: name)
        } catch .badName {
          throw .badName
        } catch {
          last = error
        }
      }
    }
    throw last
  }

  private func ask(_ server: Server, _ question: DNSQuestion, of name: String) throws(DNSError) -> [DNSRecord] {
    let id = UInt16.random(in: 0 ... .max)
    let bytes = try DNSMessage.question(question, of: name, id: id)
    let deadline = ContinuousClock.now + timeout
    let datagrams = try DNSSocket(server, isStream: false, deadline: deadline)
    try datagrams.send(bytes)
    // What belongs to another question may be somebody's forgery: the true answer is still to come.
    while true {
      let answer = try datagrams.receive(atMost: 4_096)
      switch try? DNSMessage.answer(answer, to: question, of: name, id: id) {
      case .records(let records): return records
      case .foreign: continue
      case .truncated: return try askAgain(server, bytes, question, of: name, id: id)
      case nil:
        // Says why.
        _ = try DNSMessage.answer(answer, to: question, of: name, id: id)
        throw .malformed
      }
    }
  }

  /// Over TCP, with the length before the message (RFC 7766).
  private func askAgain(
    _ server: Server,
    _ bytes: [UInt8],
    _ question: DNSQuestion,
    of name: String,
    id: UInt16
  ) throws(DNSError) -> [DNSRecord] {
    let stream = try DNSSocket(server, isStream: true, deadline: .now + timeout)
    try stream.send([UInt8(bytes.count >> 8), UInt8(bytes.count & 255)] + bytes)
    let length = try stream.read(2)
    let answer = try stream.read(Int(length[0]) << 8 | Int(length[1]))
    guard case .records(let records) = try DNSMessage.answer(answer, to: question, of: name, id: id) else {
      throw .malformed
    }
    return records
  }
}
