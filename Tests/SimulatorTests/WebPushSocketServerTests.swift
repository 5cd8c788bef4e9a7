import BelfryJSON
import NIOCore
import NIOEmbedded
import Testing

@testable import Simulator

/// The WebSocket by which browsers have the simulator for their push service, without a network.
struct WebPushSocketServerTests {
  private static let hello = #"{"messageType":"hello","use_webpush":true}"#

  private let responder: WebPushResponder

  init() {
    let (subscriptions, log) = (WebPushSubscriptions(), WebPushLog(maximumCount: 10, maximumBytes: 100_000))
    responder = WebPushResponder(
      host: "localhost",
      subscriptions: subscriptions,
      browsers: BrowserConnections(subscriptions: subscriptions, log: log),
      faults: FaultList(random: { 0 }),
      log: log,
      ports: ListeningPorts()
    )
  }

  /// A connection of which the server has got the request.
  ///
  /// - Parameter headers: As a browser sends them.
  private func open(_ headers: String = "Sec-WebSocket-Protocol: push-notification\r\n") throws -> EmbeddedChannel {
    let channel = EmbeddedChannel()
    _ = try WebPushSocketServer(host: "127.0.0.1", port: 0, responder: responder).setUp(channel)
    channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
    let request =
      "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
      + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\(headers)\r\n"
    // What is refused is also reported as an error.
    _ = try? channel.writeInbound(ByteBuffer(string: request))
    channel.embeddedEventLoop.run()
    return channel
  }

  /// A browser's connection after the handshake.
  private func connected() throws -> EmbeddedChannel {
    let channel = try open()
    #expect(String(decoding: try sent(on: channel), as: UTF8.self).hasPrefix("HTTP/1.1 101 "))
    return channel
  }

  /// What the server has sent since the last time.
  private func sent(on channel: EmbeddedChannel) throws -> [UInt8] {
    channel.embeddedEventLoop.run()
    var bytes: [UInt8] = []
    while let buffer = try channel.readOutbound(as: ByteBuffer.self) { bytes += buffer.readableBytesView }
    return bytes
  }

  /// Sends a frame of at most 125 bytes; the mask is zero, so that it changes nothing.
  private func send(_ first: UInt8, _ payload: some Collection<UInt8>, on channel: EmbeddedChannel) throws {
    let header = [first, 0x80 | UInt8(payload.count), 0, 0, 0, 0]
    try channel.writeInbound(ByteBuffer(bytes: header + Array(payload)))
  }

  /// The text of the only frame.
  private func text(of frame: [UInt8]) throws -> String {
    try #require(frame.count >= 2 && frame[0] == 0x81 && frame[1] <= 125)
    #expect(frame.count == 2 + Int(frame[1]))
    return String(decoding: frame.dropFirst(2), as: UTF8.self)
  }

  @Test func `a browser greets, is answered, and may be pinged in both ways`() throws {
    let channel = try connected()
    try send(0x81, Self.hello.utf8, on: channel)
    let answer = try JSONParser.parse(Array(try text(of: try sent(on: channel)).utf8))
    #expect(answer["messageType"]?.string == "hello" && answer["uaid"]?.string?.isEmpty == false)
    try send(0x81, "{}".utf8, on: channel)
    #expect(try text(of: try sent(on: channel)) == "{}")
    try send(0x89, "now".utf8, on: channel)
    #expect(try sent(on: channel) == [0x8A, 3] + Array("now".utf8))
    #expect(channel.isActive)
  }

  @Test func `a message may come in several frames`() throws {
    let channel = try connected()
    try send(0x01, Self.hello.utf8.prefix(9), on: channel)
    #expect(try sent(on: channel).isEmpty)
    try send(0x80, Self.hello.utf8.dropFirst(9), on: channel)
    #expect(try text(of: try sent(on: channel)).contains(#""messageType":"hello""#))
  }

  @Test func `who says goodbye is answered with the same status`() throws {
    let channel = try connected()
    try send(0x88, [0x03, 0xE8], on: channel)
    #expect(try sent(on: channel) == [0x88, 2, 0x03, 0xE8])
    #expect(!channel.isActive)
  }

  @Test func `what is too long, in one frame or in several, ends the connection`() throws {
    let long = try connected()
    let length = UInt16(BrowserConnections.maximumMessage + 1)
    let header: [UInt8] = [0x81, 0x80 | 126, UInt8(length >> 8), UInt8(length & 0xFF), 0, 0, 0, 0]
    _ = try? long.writeInbound(ByteBuffer(bytes: header))
    long.embeddedEventLoop.run()
    #expect(!long.isActive)
    let many = try connected()
    try send(0x01, [0x20], on: many)
    for _ in 0..<20 { _ = try? send(0x00, [0x20], on: many) }
    many.embeddedEventLoop.run()
    #expect(!many.isActive)
  }

  @Test func `who is not a browser is not served`() throws {
    let protocolHeader = "Sec-WebSocket-Protocol: push-notification\r\n"
    for headers in [
      "", "Sec-WebSocket-Protocol: other\r\n", protocolHeader + "Origin: http://localhost:7071\r\n",
      protocolHeader + "Origin: null\r\n",
    ] {
      let channel = try open(headers)
      #expect(try sent(on: channel).isEmpty && !channel.isActive, "\(headers)")
    }
    let browser = try open("Sec-WebSocket-Protocol: other, push-notification\r\nOrigin: ws://127.0.0.1:7071/\r\n")
    let answer = String(decoding: try sent(on: browser), as: UTF8.self)
    #expect(answer.hasPrefix("HTTP/1.1 101 ") && answer.lowercased().contains("protocol: push-notification\r\n"))
  }
}
