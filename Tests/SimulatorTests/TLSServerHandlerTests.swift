import Cryptography
import Foundation
import NIOCore
import NIOEmbedded
import NIOTLS
import Synchronization
import TLS
import Testing

@testable import Simulator

/// The handler between a client's TLS and what serves it, without a network.
@Suite struct TLSServerHandlerTests {
  /// What the connection's server has heard.
  private final class Server: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    var received = ""
    var agreed: [String?] = []
    var errors = 0
    /// Closes as soon as something comes.
    var isClosing = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      received += String(buffer: unwrapInboundIn(data))
      if isClosing { context.close(promise: nil) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      if case .handshakeCompleted(let name)? = event as? TLSUserEvent { agreed.append(name) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { errors += 1 }
  }

  private final class Connection {
    let channel = EmbeddedChannel()
    let server = Server()
    let client: TLSSession
    /// Bytes that go to the server at a time.
    var piece = Int.max

    init(serverOffers protocols: [String] = ["h2", "http/1.1"], clientOffers: String = "h2") throws {
      let directory = try DataDirectory(
        FileManager.default.temporaryDirectory.path + "/belfry-tls-\(UUID().uuidString)"
      )
      defer { try? FileManager.default.removeItem(atPath: directory.path) }
      let context = try ServerCertificate(directory).context(applicationProtocols: protocols)
      let trust = try TLSContext.client(caFile: directory.path("ca.pem"))
      client = try #require(try TLSSession.client(trust, host: "localhost", applicationProtocol: clientOffers))
      try channel.pipeline.syncOperations.addHandlers(TLSServerHandler(context), server)
      channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
    }

    /// Carries bytes to and fro until neither side has any; true if the client's handshake is done.
    @discardableResult
    func exchange() throws -> Bool {
      var isDone = false
      for _ in 0..<100 {
        if case .done = client.handshake() { isDone = true }
        let out = fromClient()
        for start in stride(from: 0, to: out.count, by: min(piece, max(out.count, 1))) {
          let end = min(out.count, piece == .max ? out.count : start + piece)
          try channel.writeInbound(ByteBuffer(bytes: out[start..<end]))
        }
        guard try toClient() || !out.isEmpty else { return isDone }
      }
      return isDone
    }

    func fromClient() -> [UInt8] {
      let count = client.outgoingCount
      return [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
        written = client.collect(into: UnsafeMutableRawBufferPointer(buffer))
      }
    }

    func toClient() throws -> Bool {
      var isSome = false
      while let bytes = try channel.readOutbound(as: ByteBuffer.self) {
        bytes.withUnsafeReadableBytes { client.receive($0) }
        isSome = true
      }
      return isSome
    }

    func send(_ text: String) { #expect(Array(text.utf8).withUnsafeBytes { client.send($0) }) }

    /// What the client reads; nil once the server has said that no more comes.
    func read() -> String? {
      var text = ""
      var buffer = [UInt8](repeating: 0, count: 16_384)
      while true {
        switch buffer.withUnsafeMutableBytes({ client.read(into: $0) }) {
        case .bytes(let count): text += String(decoding: buffer[..<count], as: UTF8.self)
        case .wouldBlock: return text
        case .ended: return text.isEmpty ? nil : text
        case .failed(let error): return "\(error)"
        }
      }
    }
  }

  @Test(arguments: [1, 100, Int.max])
  func `bytes arrive whole, however they are cut`(_ piece: Int) throws {
    let connection = try Connection()
    connection.piece = piece
    #expect(try connection.exchange())
    #expect(connection.server.agreed == ["h2"])
    let long = String(repeating: "belfry ", count: 10_000)
    connection.send(long)
    try connection.exchange()
    #expect(connection.server.received == long)
    connection.channel.writeAndFlush(ByteBuffer(string: long), promise: nil)
    try connection.exchange()
    #expect(connection.read() == long)
  }

  @Test func `a client that offers nothing known is served, and nothing is agreed upon`() throws {
    let connection = try Connection(clientOffers: "other")
    #expect(try connection.exchange())
    #expect(connection.server.agreed == [nil])
  }

  @Test func `what is written before the handshake goes out after it`() throws {
    let connection = try Connection()
    let promise = connection.channel.eventLoop.makePromise(of: Void.self)
    let isWritten = Mutex(false)
    promise.futureResult.whenSuccess { isWritten.withLock { $0 = true } }
    connection.channel.writeAndFlush(ByteBuffer(string: "early"), promise: promise)
    #expect(!isWritten.withLock { $0 })
    #expect(try connection.exchange())
    #expect(connection.read() == "early")
    #expect(isWritten.withLock { $0 })
  }

  @Test func `who closes in the middle of reading says goodbye`() throws {
    let connection = try Connection()
    try connection.exchange()
    connection.server.isClosing = true
    connection.send("one")
    connection.send("two")
    try connection.exchange()
    #expect(connection.server.received == "onetwo")
    #expect(!connection.channel.isActive)
    #expect(connection.read() == nil)
  }

  @Test func `a client that says goodbye is closed`() throws {
    let connection = try Connection()
    try connection.exchange()
    connection.send("last")
    connection.client.finish()
    try connection.exchange()
    #expect(connection.server.received == "last")
    #expect(!connection.channel.isActive)
    #expect(connection.server.errors == 0)
  }

  @Test func `what is no TLS is reported and closed, and what waited is failed`() throws {
    let connection = try Connection()
    let promise = connection.channel.eventLoop.makePromise(of: Void.self)
    let hasFailed = Mutex(false)
    promise.futureResult.whenFailure { _ in hasFailed.withLock { $0 = true } }
    connection.channel.writeAndFlush(ByteBuffer(string: "never"), promise: promise)
    try connection.channel.writeInbound(ByteBuffer(string: "EHLO somebody\r\n"))
    #expect(connection.server.errors == 1)
    #expect(!connection.channel.isActive)
    #expect(hasFailed.withLock { $0 })
  }
}
