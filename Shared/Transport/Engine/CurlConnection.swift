import CCurl
import Dispatch
import Logging

/// A connection that libcurl opens, up to the greeting and TLS that its scheme has, and whose bytes are then ours. Used on its
/// engine's queue only.
///
/// It has a multi handle of its own: when libcurl opens a connection it closes those in the same cache that look dead, and one
/// of ours with unread bytes does.
/// Source: https://curl.se/libcurl/c/CURLOPT_CONNECT_ONLY.html
final class CurlConnection {
  enum Opening {
    case inProgress
    case open
    /// What libcurl said.
    case failed(CURLcode)
  }

  /// What came of reading or writing without waiting.
  enum Progress {
    case bytes(Int)
    case wouldBlock
    case ended
  }

  /// Whether libcurl has connected.
  var isOpen: Bool { socket != nil }

  private let handle: CurlHandle
  private let multi: CurlMulti
  private let queue: DispatchQueue
  private let onReady: @Sendable () -> Void
  private var socket: CurlSocket?

  /// - Parameters:
  ///   - handle: With URL and trust; gets `CURLOPT_CONNECT_ONLY`.
  ///   - onSocket, onTimer: See `CurlMulti`; needed until libcurl has connected.
  ///   - onReady: Called on the queue when bytes may be read or written, as `watch` asked for.
  init(
    _ handle: CurlHandle,
    queue: DispatchQueue,
    logger: Logger,
    onSocket: @escaping @Sendable (_ socket: Int32, _ direction: Int32) -> Void,
    onTimer: @escaping @Sendable () -> Void,
    onReady: @escaping @Sendable () -> Void
  ) throws(TransportError) {
    self.handle = handle
    self.queue = queue
    self.onReady = onReady
    try handle.set(CURLOPT_CONNECT_ONLY, 1)
    multi = try CurlMulti(queue: queue, logger: logger, onSocket: onSocket, onTimer: onTimer)
    guard multi.add(handle) else {
      throw TransportError(.cannotConnect, isTransient: true, detail: "libcurl did not take the transfer")
    }
  }

  /// Closes the connection, at once.
  deinit {
    socket?.cancel()
    multi.remove(handle)
  }

  /// Lets libcurl go on with connecting.
  func connect(_ step: (CurlMulti) -> Void) -> Opening {
    step(multi)
    while multi.isDueNow { multi.handleTimer() }
    var opening = Opening.inProgress
    while let (_, code) = multi.nextCompleted() {
      opening =
        if code != CURLE_OK { .failed(code) } else if takeSocket() { .open } else { .failed(CURLE_COULDNT_CONNECT) }
    }
    multi.settle()
    return opening
  }

  /// libcurl has connected: from now on the socket is ours to watch.
  private func takeSocket() -> Bool {
    var number: curl_socket_t = -1
    guard ccurl_get_socket(handle.easy, CURLINFO_ACTIVESOCKET, &number) == CURLE_OK, number >= 0 else { return false }
    socket = CurlSocket(number, queue: queue) { [onReady] _ in onReady() }
    return socket != nil
  }

  func send(_ bytes: ArraySlice<UInt8>) -> Progress {
    var count = 0
    let code = bytes.withUnsafeBytes { curl_easy_send(handle.easy, $0.baseAddress, $0.count, &count) }
    return progress(code, count)
  }

  /// Reads what is there, with TLS at most one record. libcurl reads no further ahead: if the buffer is not full, nothing is
  /// left, or the socket is readable still.
  func receive(into buffer: inout [UInt8]) -> Progress {
    var count = 0
    let code = buffer.withUnsafeMutableBytes { curl_easy_recv(handle.easy, $0.baseAddress, $0.count, &count) }
    return progress(code, count)
  }

  /// Asks to be told when bytes can be read, or also written.
  func watch(forWriting: Bool) {
    socket?.wanted = forWriting ? CURL_POLL_INOUT : CURL_POLL_IN
    socket?.apply()
  }

  private func progress(_ code: CURLcode, _ count: Int) -> Progress {
    switch code {
    case CURLE_OK: count > 0 ? .bytes(count) : .ended
    case CURLE_AGAIN: .wouldBlock
    default: .ended
    }
  }
}
