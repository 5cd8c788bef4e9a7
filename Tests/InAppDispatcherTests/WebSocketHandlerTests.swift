import NIOCore
import NIOEmbedded
import Testing

@testable import InAppDispatcher

/// What the handler makes of frames by itself: it answers pings and the close. Its connection is gone.
@Suite struct WebSocketHandlerTests {
  private let channel = EmbeddedChannel()

  /// - Parameter handlers: Before the one that is tested.
  private func add(_ handlers: [any ChannelHandler] = []) throws {
    let loop = HubLoop(index: 0, eventLoop: channel.eventLoop, directory: ConnectionDirectory(limits: HubLimits()))
    let connection = ConnectionReference.elsewhere(.random(), loop, attachment: 1)
    let pipeline = channel.pipeline.syncOperations
    for handler in handlers { try pipeline.addHandler(handler) }
    try pipeline.addHandler(WebSocketHandler(connection, maximumFrameSize: 1_024))
    try channel.connect(to: SocketAddress(unixDomainSocketPath: "/unused")).wait()
  }

  /// A frame of a client, with the mask 0.
  static func frame(_ first: UInt8, _ text: String) -> [UInt8] {
    [first, 0x80 | UInt8(text.utf8.count), 0, 0, 0, 0] + Array(text.utf8)
  }

  private static func ping(_ text: String) -> [UInt8] { frame(0x89, text) }

  /// What the handler has sent: pongs by their text, closes by their status.
  private func answers() throws -> [String] {
    var answers: [String] = []
    while let sent = try channel.readOutbound(as: ByteBuffer.self) {
      let payload = sent.readableBytesView.dropFirst(2)
      let isClose = sent.readableBytesView.first == 0x88
      answers.append(isClose ? "\(payload.reduce(0) { $0 << 8 | Int($1) })" : String(decoding: payload, as: UTF8.self))
    }
    return answers
  }

  @Test func `pings are answered, cut or together`() throws {
    try add()
    let bytes = Self.ping("a") + Self.ping("") + Self.ping("b")
    try channel.writeInbound(ByteBuffer(bytes: bytes))
    for byte in bytes { try channel.writeInbound(ByteBuffer(bytes: [byte])) }
    #expect(try answers() == ["a", "", "b", "a", "", "b"])
  }

  @Test(arguments: [([], "1000"), ([0x03, 0xE8], "1000"), ([0x03], "1002")] as [([UInt8], String)])
  func `a close is answered and ends everything, what comes behind it too`(_ status: [UInt8], _ answer: String) throws {
    try add()
    let close = [0x88, 0x80 | UInt8(status.count), 0, 0, 0, 0] + status
    try channel.writeInbound(ByteBuffer(bytes: Self.ping("a") + close + Self.ping("b")))
    #expect(try answers() == ["a", answer])
    #expect(!channel.isActive)
  }

  @Test func `nothing is read behind a violation`() throws {
    try add()
    // RSV1 is set.
    try channel.writeInbound(ByteBuffer(bytes: Self.ping("a") + Self.frame(0xC1, "x") + Self.ping("b")))
    try channel.writeInbound(ByteBuffer(bytes: Self.ping("c")))
    #expect(try answers() == ["a"])
  }

  /// When a write fails, NIO hands on what it can still read before it closes.
  @Test func `bytes that come while a frame is answered come after what has come before`() throws {
    let second = Self.ping("second")
    try add([ReadsWhenWritten(Array(second[7...]) + Self.ping("third"))])
    try channel.writeInbound(ByteBuffer(bytes: Self.ping("first") + second[..<7]))
    #expect(try answers() == ["first", "second", "third"])
  }

  private final class ReadsWhenWritten: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    private var bytes: [UInt8]?

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      context.write(data, promise: promise)
      guard let bytes else { return }
      self.bytes = nil
      context.fireChannelRead(NIOAny(ByteBuffer(bytes: bytes)))
    }
  }
}
