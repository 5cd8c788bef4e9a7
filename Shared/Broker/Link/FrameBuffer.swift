import CRabbitMQ

/// Frames of messages, one after another, until they are written together.
///
/// `amqp_basic_publish` writes each frame by itself: three calls and a packet of its own for every small message. Here
/// librabbitmq encodes the arguments and properties, and what several callers publish goes out with one call.
/// https://www.rabbitmq.com/resources/specs/amqp0-9-1.pdf, 2.3.5 and 4.2
struct FrameBuffer: ~Copyable {
  private static let basicClass: UInt16 = 60
  /// Type, channel and size before the payload, the end mark after it.
  private static let overhead = 8
  /// What stays reserved when everything is written; a large message needs more for a moment.
  private static let retained = 262_144

  private var memory: UnsafeMutableRawBufferPointer
  private var end = 0
  private var start = 0
  private let maximumFrame: Int

  /// - Parameter maximumFrame: As agreed with the broker, overhead included; 0 is no limit.
  init(maximumFrame: Int) {
    self.maximumFrame = maximumFrame > 0 ? maximumFrame : 131_072
    memory = .allocate(byteCount: Self.retained, alignment: 8)
  }

  deinit {
    memory.deallocate()
  }

  /// What is still to be written.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[start..<end]) }

  mutating func removeFirst(_ count: Int) {
    start += count
    guard start == end else { return }
    start = 0
    end = 0
    guard memory.count > Self.retained else { return }
    memory.deallocate()
    memory = .allocate(byteCount: Self.retained, alignment: 8)
  }

  /// Adds `basic.publish`, the content header, and as many body frames as it takes.
  ///
  /// - Returns: A status of librabbitmq; when it is negative nothing has been added.
  mutating func append(
    _ method: inout amqp_basic_publish_t,
    _ properties: inout amqp_basic_properties_t,
    _ body: UnsafeRawBufferPointer,
    channel: amqp_channel_t
  ) -> Int32 {
    let unchanged = end
    var status = append(.method, channel) { payload in
      payload.storeBigEndian(BELFRY_AMQP_BASIC_PUBLISH.rawValue, at: 0)
      let arguments = amqp_bytes_t(len: payload.count - 4, bytes: payload.baseAddress! + 4)
      let size = amqp_encode_method(BELFRY_AMQP_BASIC_PUBLISH.rawValue, &method, arguments)
      return size < 0 ? size : size + 4
    }
    if status >= 0 {
      status = append(.header, channel) { payload in
        payload.storeBigEndian(Self.basicClass, at: 0)
        payload.storeBigEndian(UInt16(0), at: 2)
        payload.storeBigEndian(UInt64(body.count), at: 4)
        let rest = amqp_bytes_t(len: payload.count - 12, bytes: payload.baseAddress! + 12)
        let size = amqp_encode_properties(Self.basicClass, &properties, rest)
        return size < 0 ? size : size + 12
      }
    }
    guard status >= 0 else {
      end = unchanged
      return status
    }
    let step = maximumFrame - Self.overhead
    for first in stride(from: 0, to: body.count, by: step) {
      let part = UnsafeRawBufferPointer(rebasing: body[first..<min(body.count, first + step)])
      _ = append(.body, channel) { payload in
        payload.copyMemory(from: part)
        return Int32(part.count)
      }
    }
    return 0
  }

  private enum Kind: UInt8 {
    case method = 1
    case header = 2
    case body = 3
  }

  /// `write` fills the payload from its beginning, and returns its size or a negative status.
  private mutating func append(
    _ kind: Kind,
    _ channel: amqp_channel_t,
    _ write: (UnsafeMutableRawBufferPointer) -> Int32
  ) -> Int32 {
    reserve(maximumFrame)
    let frame = UnsafeMutableRawBufferPointer(rebasing: memory[end..<(end + maximumFrame)])
    let payload = UnsafeMutableRawBufferPointer(rebasing: frame[7..<(maximumFrame - 1)])
    let size = write(payload)
    guard size >= 0 else { return size }
    frame[0] = kind.rawValue
    frame.storeBigEndian(channel, at: 1)
    frame.storeBigEndian(UInt32(size), at: 3)
    frame[7 + Int(size)] = UInt8(AMQP_FRAME_END)
    end += Int(size) + Self.overhead
    return size
  }

  private mutating func reserve(_ count: Int) {
    guard memory.count - end < count else { return }
    let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: max(2 * memory.count, end + count), alignment: 8)
    larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[..<end]))
    memory.deallocate()
    memory = larger
  }
}

extension UnsafeMutableRawBufferPointer {
  fileprivate func storeBigEndian(_ value: some FixedWidthInteger & BitwiseCopyable, at offset: Int) {
    storeBytes(of: value.bigEndian, toByteOffset: offset, as: type(of: value))
  }
}
