import NIOCore
import SignalRProtocol

extension TestConnection {
  struct Frame: Sendable, Equatable {
    var opcode: UInt8
    var payload: [UInt8]
    var text: String { String(decoding: payload, as: UTF8.self) }
  }

  func sendFrame(_ text: String, opcode: UInt8 = 1, isFinal: Bool = true, isMasked: Bool = true) async throws {
    try await sendFrame(Array(text.utf8), opcode: opcode, isFinal: isFinal, isMasked: isMasked)
  }

  /// - Parameter reserved: The bits RSV1 to RSV3, in place.
  func sendFrame(
    _ payload: [UInt8],
    opcode: UInt8,
    isFinal: Bool = true,
    isMasked: Bool = true,
    reserved: UInt8 = 0
  ) async throws {
    var frame = [(isFinal ? 0x80 : 0) | reserved | opcode]
    let mask: UInt8 = isMasked ? 0x80 : 0
    if payload.count < 126 {
      frame.append(mask | UInt8(payload.count))
    } else if payload.count <= 0xFFFF {
      frame += [mask | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
    } else {
      frame += [mask | 127] + (0..<8).reversed().map { UInt8(payload.count >> ($0 * 8) & 0xFF) }
    }
    let key: [UInt8] = [1, 2, 3, 4]
    if isMasked { frame += key }
    frame += payload.enumerated().map { isMasked ? $1 ^ key[$0 % 4] : $1 }
    try await send(frame)
  }

  /// Sends a hub message as the protocol has it.
  func send(_ message: HubMessage, as hubProtocol: HubProtocol = .json) async throws {
    try await sendFrame(hubProtocol.encode(message), opcode: hubProtocol.isBinary ? 2 : 1)
  }

  func frame() async throws -> Frame {
    try await wait { buffer in
      var rest = buffer
      guard let first: UInt8 = rest.readInteger(), let short: UInt8 = rest.readInteger() else { return nil }
      let length: Int? =
        switch short {
        case 126: rest.readInteger(as: UInt16.self).map(Int.init)
        case 127: rest.readInteger(as: UInt64.self).map(Int.init)
        default: Int(short)
        }
      guard let length, let payload = rest.readBytes(length: length) else { return nil }
      buffer = rest
      return Frame(opcode: first & 0x0F, payload: payload)
    }
  }

  /// The next hub message, without its separator.
  func message() async throws -> String {
    let frame = try await frame()
    guard frame.opcode == 1, frame.payload.last == 0x1E else { throw Unexpected(what: "\(frame)") }
    return String(frame.text.dropLast())
  }

  /// The next frame's one hub message.
  func message(as hubProtocol: HubProtocol) async throws -> HubMessage {
    let frame = try await frame()
    guard frame.opcode == (hubProtocol.isBinary ? 2 : 1) else { throw Unexpected(what: "\(frame)") }
    let messages = try hubProtocol.messages(in: frame.payload)
    guard messages.count == 1, let message = messages.first else { throw Unexpected(what: "\(messages)") }
    return message
  }

  /// The next hub message that is no ping.
  func nextMessage(as hubProtocol: HubProtocol = .json) async throws -> HubMessage {
    while true {
      let message = try await message(as: hubProtocol)
      if message != .ping { return message }
    }
  }
}

extension HubProtocol {
  /// The hub messages in some bytes, which must be complete.
  func messages(in bytes: [UInt8]) throws -> [HubMessage] {
    var messages: [HubMessage] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let record: ArraySlice<UInt8>
      switch self {
      case .json:
        guard let end = rest.firstIndex(of: 0x1E) else { throw TestConnection.Unexpected(what: "\(bytes)") }
        record = rest[..<end]
        rest = rest[(end + 1)...]
      case .messagePack:
        var buffer = LengthPrefixedBuffer()
        guard let found = try buffer.next(from: &rest, limit: 1_048_576) else {
          throw TestConnection.Unexpected(what: "\(bytes)")
        }
        record = found
      }
      if let message = try decode(record) { messages.append(message) }
    }
    return messages
  }
}
