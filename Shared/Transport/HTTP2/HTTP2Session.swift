import CNGHTTP2

/// The HTTP/2 protocol of one connection (RFC 9113), by nghttp2: bytes in, bytes out, no network. Used on its engine's queue
/// only.
final class HTTP2Session {
  /// Requests in flight, by their streams.
  private(set) var streams: [Int32: HTTP2Stream] = [:]

  /// A request whose stream has ended, and whether the server told that it did not process it (RFC 9113, section 8.7).
  typealias Ended = (stream: HTTP2Stream, isRefused: Bool)

  private var ended: [Ended] = []
  /// Whether the server has told its settings.
  private(set) var hasSettings = false
  /// The server's, since the last look.
  private var goodbye: HTTP2Goodbye?
  private var session: OpaquePointer?
  /// nghttp2 gives what is to be sent frame by frame.
  private let collected = 65_536

  /// Starts with the connection preface and our settings.
  init() throws(TransportError) {
    var callbacks: OpaquePointer?
    guard nghttp2_session_callbacks_new(&callbacks) == 0, let callbacks else { throw Self.outOfMemory }
    defer { nghttp2_session_callbacks_del(callbacks) }
    nghttp2_session_callbacks_set_on_header_callback(callbacks, onHeader)
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, onData)
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, onFrame)
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, onStreamClose)
    guard nghttp2_session_client_new(&session, callbacks, Unmanaged.passUnretained(self).toOpaque()) == 0 else {
      throw Self.outOfMemory
    }
    var settings = [
      nghttp2_settings_entry(settings_id: Int32(NGHTTP2_SETTINGS_ENABLE_PUSH.rawValue), value: 0),
      nghttp2_settings_entry(settings_id: Int32(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE.rawValue), value: 1_048_576),
    ]
    nghttp2_submit_settings(session, 0, &settings, settings.count)
    // The connection's window is not a setting.
    nghttp2_session_set_local_window_size(session, 0, 0, 16_777_216)
  }

  deinit {
    nghttp2_session_del(session)
  }

  private static let outOfMemory = TransportError(.cannotConnect, isTransient: true, detail: "nghttp2: out of memory")

  // MARK: Requests

  /// Whether a new request may be begun: the server has not said goodbye and there are stream numbers left.
  var takesRequests: Bool { nghttp2_session_check_request_allowed(session) != 0 }

  /// How many requests the server takes at a time.
  var maximumStreams: Int {
    Int(nghttp2_session_get_remote_settings(session, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS))
  }

  /// Begins a request; false if nghttp2 does not take it.
  func begin(_ stream: HTTP2Stream, _ fields: HTTP2Fields) -> Bool {
    let body = stream.job.request.body
    let pairs = fields.pairs(contentLength: body.count)
    let pointer = Unmanaged.passUnretained(stream).toOpaque()
    var provider = nghttp2_data_provider(source: nghttp2_data_source(ptr: pointer), read_callback: readBody)
    let number =
      body.isEmpty
      ? nghttp2_submit_request(session, nil, pairs.baseAddress, pairs.count, nil, pointer)
      : nghttp2_submit_request(session, nil, pairs.baseAddress, pairs.count, &provider, pointer)
    guard number > 0 else { return false }
    streams[number] = stream
    return true
  }

  /// Gives a request up: its stream is reset, and does not come back as ended.
  func abandon(_ number: Int32) {
    guard streams.removeValue(forKey: number) != nil else { return }
    nghttp2_session_set_stream_user_data(session, number, nil)
    nghttp2_submit_rst_stream(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), number, NGHTTP2_CANCEL.rawValue)
  }

  /// Asks the server for a sign of life.
  func ping() {
    nghttp2_submit_ping(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), nil)
  }

  /// The server's goodbye, if it has said one since the last call.
  func takeGoodbye() -> HTTP2Goodbye? {
    defer { goodbye = nil }
    return goodbye
  }

  /// Says goodbye to the server.
  func finish() {
    nghttp2_session_terminate_session(session, NGHTTP2_NO_ERROR.rawValue)
  }

  /// Whether the conversation is over, also because the server broke the protocol: nghttp2 then ignores what comes.
  var isOver: Bool { nghttp2_session_want_read(session) == 0 && nghttp2_session_want_write(session) == 0 }

  /// Requests whose streams have ended since the last call: while bytes were received, and also while some were sent.
  func takeEnded() -> [Ended] {
    defer { ended.removeAll(keepingCapacity: true) }
    return ended
  }

  // MARK: Bytes

  /// Appends what is to be sent, up to about 64 KiB; false if the session is broken.
  func collect(into buffer: inout [UInt8]) -> Bool {
    while buffer.count < collected {
      var bytes: UnsafePointer<UInt8>?
      let count = nghttp2_session_mem_send(session, &bytes)
      guard count >= 0 else { return false }
      guard count > 0 else { return true }
      buffer.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
    }
    return true
  }

  /// Takes what the server sent; false if that is no HTTP/2.
  func receive(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.withUnsafeBufferPointer { nghttp2_session_mem_recv(session, $0.baseAddress, $0.count) } == bytes.count
  }

  // MARK: nghttp2's calls

  fileprivate func received(_ frame: nghttp2_frame) {
    switch UInt32(frame.hd.type) {
    case NGHTTP2_SETTINGS.rawValue:
      if frame.hd.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) == 0 { hasSettings = true }
    case NGHTTP2_GOAWAY.rawValue:
      let text = UnsafeBufferPointer(start: frame.goaway.opaque_data, count: frame.goaway.opaque_data_len)
      goodbye = HTTP2Goodbye(
        code: frame.goaway.error_code,
        text: String(decoding: text.prefix(HTTP2Goodbye.maximumText), as: UTF8.self)
      )
    default: receivedPart(frame.hd)
    }
  }

  /// A part of an answer.
  private func receivedPart(_ frame: nghttp2_frame_hd) {
    let isEnd = frame.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
    let carriesAnswer =
      frame.type == UInt8(NGHTTP2_HEADERS.rawValue) || frame.type == UInt8(NGHTTP2_DATA.rawValue)
    guard isEnd, carriesAnswer, let stream = streams[frame.stream_id] else { return }
    stream.isComplete = true
    // The rest of the request's body is of no interest any more.
    if stream.sent < stream.job.request.body.count { stopReceiving(frame.stream_id) }
  }

  fileprivate func closed(_ number: Int32, _ code: UInt32) {
    guard let stream = streams.removeValue(forKey: number) else { return }
    stream.needsHTTP1 = code == NGHTTP2_HTTP_1_1_REQUIRED.rawValue
    ended.append((stream, code == NGHTTP2_REFUSED_STREAM.rawValue))
  }

  fileprivate func stopReceiving(_ number: Int32) {
    nghttp2_submit_rst_stream(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), number, NGHTTP2_CANCEL.rawValue)
  }
}

private func session(_ pointer: UnsafeMutableRawPointer?) -> HTTP2Session {
  Unmanaged<HTTP2Session>.fromOpaque(pointer!).takeUnretainedValue()
}

/// The stream's request; nil once it is given up. Saves a look into the table for each header and chunk.
private func stream(_ pointer: OpaquePointer?, _ number: Int32) -> HTTP2Stream? {
  nghttp2_session_get_stream_user_data(pointer, number).map {
    Unmanaged<HTTP2Stream>.fromOpaque($0).takeUnretainedValue()
  }
}

private func onHeader(
  _ pointer: OpaquePointer?,
  _ frame: UnsafePointer<nghttp2_frame>?,
  _ name: UnsafePointer<UInt8>?,
  _ nameLength: Int,
  _ value: UnsafePointer<UInt8>?,
  _ valueLength: Int,
  _ flags: UInt8,
  _ owner: UnsafeMutableRawPointer?
) -> Int32 {
  guard let number = frame?.pointee.hd.stream_id, let stream = stream(pointer, number), !stream.isTooLarge else {
    return 0
  }
  let name = UnsafeBufferPointer(start: name, count: nameLength)
  let value = UnsafeBufferPointer(start: value, count: valueLength)
  if !stream.receiveHeader(name, value) { session(owner).stopReceiving(number) }
  return 0
}

private func onData(
  _ pointer: OpaquePointer?,
  _ flags: UInt8,
  _ number: Int32,
  _ bytes: UnsafePointer<UInt8>?,
  _ count: Int,
  _ owner: UnsafeMutableRawPointer?
) -> Int32 {
  guard let stream = stream(pointer, number), !stream.isTooLarge else { return 0 }
  if !stream.receiveBody(UnsafeBufferPointer(start: bytes, count: count)) { session(owner).stopReceiving(number) }
  return 0
}

private func onFrame(
  _ pointer: OpaquePointer?,
  _ frame: UnsafePointer<nghttp2_frame>?,
  _ owner: UnsafeMutableRawPointer?
) -> Int32 {
  if let frame { session(owner).received(frame.pointee) }
  return 0
}

private func onStreamClose(
  _ pointer: OpaquePointer?,
  _ number: Int32,
  _ code: UInt32,
  _ owner: UnsafeMutableRawPointer?
) -> Int32 {
  session(owner).closed(number, code)
  return 0
}

/// Hands nghttp2 the next piece of a request's body.
private func readBody(
  _ pointer: OpaquePointer?,
  _ number: Int32,
  _ buffer: UnsafeMutablePointer<UInt8>?,
  _ length: Int,
  _ flags: UnsafeMutablePointer<UInt32>?,
  _ source: UnsafeMutablePointer<nghttp2_data_source>?,
  _ owner: UnsafeMutableRawPointer?
) -> Int {
  // Given up before its body was sent: nghttp2 drops the frame, as the stream is being reset.
  guard let stream = stream(pointer, number), let buffer else {
    return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
  }
  let body = stream.job.request.body
  let count = min(length, body.count - stream.sent)
  body.withUnsafeBufferPointer { bytes in
    guard let base = bytes.baseAddress else { return }
    buffer.update(from: base + stream.sent, count: count)
  }
  stream.sent += count
  if stream.sent == body.count { flags?.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
  return count
}
