import TestSupport
import Testing

@testable import InAppDispatcher

/// RFC 6455, section 5, as a server reads it.
@Suite struct WebSocketFrameReaderTests {
  private typealias Frame = WebSocketFrameReader.Frame
  private typealias Violation = WebSocketFrameReader.Violation

  private static let limit = 70_000

  /// A frame as a client sends it.
  private static func bytes(
    _ first: UInt8,
    _ payload: [UInt8],
    mask: [UInt8] = [0x37, 0xFA, 0x21, 0x3D],
    width: Int? = nil
  ) -> [UInt8] {
    let length: [UInt8]
    switch width ?? (payload.count < 126 ? 1 : payload.count < 65_536 ? 2 : 8) {
    case 1: length = [0x80 | UInt8(payload.count)]
    case 2: length = [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
    default: length = [0x80 | 127] + (0..<8).reversed().map { UInt8(payload.count >> ($0 * 8) & 0xFF) }
    }
    return [first] + length + mask + payload.enumerated().map { $1 ^ mask[$0 % 4] }
  }

  /// What a reader makes of bytes that come in these pieces.
  private static func read(_ pieces: some Sequence<[UInt8]>, limit: Int = limit) throws(Violation) -> [Frame] {
    var reader = WebSocketFrameReader()
    var frames: [Frame] = []
    for piece in pieces {
      reader.append(piece)
      while let frame = try reader.next(limit: limit) { frames.append(frame) }
    }
    return frames
  }

  @Test func `the example of the RFC`() throws {
    let hello: [UInt8] = [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]
    #expect(try Self.read([hello]) == [Frame(opcode: .text, payload: Array("Hello".utf8))])
  }

  @Test(arguments: [0, 1, 3, 125, 126, 127, 4_096, 65_535, 65_536, limit])
  func `payloads of every kind of length come as they were sent`(_ count: Int) throws {
    let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) }
    #expect(try Self.read([Self.bytes(0x82, payload)]) == [Frame(opcode: .binary, payload: payload)])
    #expect(try Self.read([Self.bytes(0x82, payload, mask: [0, 0, 0, 0])]).map(\.payload) == [payload])
  }

  @Test func `a length that is written longer than it must be is taken, as the original hub does`() throws {
    #expect(try Self.read([Self.bytes(0x82, [1, 2], width: 2)]).map(\.payload) == [[1, 2]])
    #expect(try Self.read([Self.bytes(0x82, [1, 2], width: 8)]).map(\.payload) == [[1, 2]])
  }

  @Test(
    arguments: [
      (0x00, .continuation), (0x80, .continuation), (0x01, .text), (0x81, .text), (0x82, .binary), (0x88, .close),
      (0x89, .ping), (0x8A, .pong),
    ] as [(UInt8, WebSocketFrames.Opcode)]
  )
  func `every opcode is known, whole or a part where that is allowed`(
    _ first: UInt8,
    _ opcode: WebSocketFrames.Opcode
  ) throws {
    // What carries a message on needs its beginning.
    let start = opcode == .continuation ? Self.bytes(0x02, []) : []
    #expect(try Self.read([start + Self.bytes(first, [1])]).last == Frame(opcode: opcode, payload: [1]))
  }

  @Test func `frames that are cut anywhere, even twice, are put together again`() throws {
    let long = [UInt8](repeating: 9, count: 130)
    let all = Self.bytes(0x81, Array("früh".utf8)) + Self.bytes(0x89, []) + Self.bytes(0x82, long)
    let whole = try Self.read([all])
    #expect(whole.map(\.opcode) == [.text, .ping, .binary])
    #expect(try Self.read(all.map { [$0] }) == whole)
    for cut in 0...all.count {
      #expect(try Self.read([Array(all[..<cut]), Array(all[cut...])]) == whole)
      let second = min(all.count, cut + 5)
      #expect(try Self.read([Array(all[..<cut]), Array(all[cut..<second]), Array(all[second...])]) == whole)
    }
  }

  @Test func `a message in parts is carried on until it ends, whatever controls come between`() throws {
    let parts = Self.bytes(0x01, [1]) + Self.bytes(0x89, []) + Self.bytes(0x00, [2]) + Self.bytes(0x80, [3])
    #expect(try Self.read([parts + parts]).map(\.payload) == [[1], [], [2], [3], [1], [], [2], [3]])
    for bytes in [
      Self.bytes(0x80, [1]), Self.bytes(0x00, [1]), parts + Self.bytes(0x80, [4]),
      Self.bytes(0x89, []) + Self.bytes(0x80, []), Self.bytes(0x01, [1]) + Self.bytes(0x81, [2]),
      Self.bytes(0x02, [1]) + Self.bytes(0x89, []) + Self.bytes(0x01, [2]),
    ] {
      #expect(throws: Violation.protocolError) { try Self.read([bytes]) }
      #expect(throws: Violation.protocolError) { try Self.read(bytes.map { [$0] }) }
    }
  }

  @Test(
    arguments: [
      ("reserved bit 1", [0xC1, 0x80]), ("reserved bit 2", [0xA1, 0x80]), ("reserved bit 3", [0x91, 0x80]),
      ("an opcode for data that nobody has defined", [0x83]), ("one for control", [0x8B]), ("no mask", [0x81, 0x05]),
      ("a ping in parts", [0x09, 0x80]), ("a close in parts", [0x08, 0x80]), ("a long ping", [0x89, 0x80 | 126]),
      ("a length beyond 63 bits", [0x82, 0x80 | 127, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
    ] as [(String, [UInt8])]
  )
  func `what the RFC forbids is refused as soon as it shows`(_ what: String, _ bytes: [UInt8]) {
    #expect(throws: Violation.protocolError, "\(what)") { try Self.read([bytes]) }
    #expect(throws: Violation.protocolError, "\(what)") { try Self.read(bytes.map { [$0] }) }
  }

  @Test(
    arguments: [
      [0x82, 0x80 | 126, 0x04, 0x01], [0x82, 0x80 | 127, 0, 0, 0, 0, 0, 0, 0x04, 0x01],
      [0x82, 0x80 | 127, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
    ] as [[UInt8]]
  )
  func `what is too long is refused with its header, before its payload comes`(_ header: [UInt8]) {
    let bytes = header + [0, 0, 0, 0]
    #expect(throws: Violation.tooLong) { try Self.read([bytes], limit: 1_024) }
    #expect(throws: Violation.tooLong) { try Self.read(bytes.map { [$0] }, limit: 1_024) }
  }

  @Test func `any frames in any pieces come through, and any bytes at all do no harm`() throws {
    var random = SplitMix64(seed: 6_455)
    for _ in 0..<300 {
      let frames = (0...random.below(5)).map { _ in random.bytes(random.below(random.below(2) == 0 ? 130 : 3_000)) }
      let mask = random.bytes(4)
      let stream = frames.flatMap { Self.bytes(0x82, $0, mask: mask) }
      #expect(try Self.read(Self.pieces(of: stream, &random)).map(\.payload) == frames)

      let broken = random.mutated(stream)
      // To be refused is as good as to be read.
      if let read = try? Self.read(Self.pieces(of: broken, &random)) {
        #expect(read.map(\.payload.count).reduce(0, +) <= broken.count)
      }
      // Only that it ends counts.
      _ = try? Self.read(Self.pieces(of: random.bytes(64), &random), limit: 256)
    }
  }

  private static func pieces(of stream: [UInt8], _ random: inout SplitMix64) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    var rest = stream[...]
    while !rest.isEmpty {
      let piece = rest.prefix(1 + random.below(600))
      pieces.append(Array(piece))
      rest = rest.dropFirst(piece.count)
    }
    return pieces
  }
}
