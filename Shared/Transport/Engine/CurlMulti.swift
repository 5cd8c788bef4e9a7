import CCurl
import Dispatch
import Logging

/// A libcurl multi handle driven by dispatch sources. Used on its engine's queue only.
///
/// libcurl says through callbacks which sockets to watch and when to be woken; the sources call `onSocket` and `onTimer`, the
/// engine then calls `handleSocket` or `handleTimer` and takes what has completed.
/// Source: https://curl.se/libcurl/c/curl_multi_socket_action.html
final class CurlMulti {
  private let pointer: UnsafeMutableRawPointer
  private let queue: DispatchQueue
  private let logger: Logger
  private let onSocket: @Sendable (_ socket: Int32, _ direction: Int32) -> Void
  private let timer: any DispatchSourceTimer
  private var sockets: [Int32: CurlSocket] = [:]

  /// Sockets whose interest changed since the last `settle`. libcurl flips it many times within one pass.
  private var changed: Set<Int32> = []

  /// When libcurl wants `handleTimer`; the armed time may be earlier, never later.
  private var due: DispatchTime?
  private var armed: DispatchTime?

  /// Whether libcurl wants to run at once.
  private(set) var isDueNow = false

  init(
    queue: DispatchQueue,
    logger: Logger,
    onSocket: @escaping @Sendable (_ socket: Int32, _ direction: Int32) -> Void,
    onTimer: @escaping @Sendable () -> Void
  ) throws(TransportError) {
    guard CurlLibrary.isReady, let pointer = curl_multi_init() else {
      throw TransportError(.cannotConnect, isTransient: true, detail: "libcurl could not be initialised")
    }
    self.pointer = pointer
    self.queue = queue
    self.logger = logger
    self.onSocket = onSocket
    timer = DispatchSource.makeTimerSource(queue: queue)
    timer.setEventHandler(handler: onTimer)
    timer.activate()
    let this = Unmanaged.passUnretained(self).toOpaque()
    _ = ccurl_multi_set_pointer(pointer, CURLMOPT_SOCKETDATA, this)
    _ = ccurl_multi_set_socket_callback(pointer, socketCallback)
    _ = ccurl_multi_set_pointer(pointer, CURLMOPT_TIMERDATA, this)
    _ = ccurl_multi_set_timer_callback(pointer, timerCallback)
  }

  /// Closes all connections. Every transfer has been removed before.
  deinit {
    _ = ccurl_multi_set_socket_callback(pointer, nil)
    _ = ccurl_multi_set_timer_callback(pointer, nil)
    for socket in sockets.values { socket.cancel() }
    timer.cancel()
    curl_multi_cleanup(pointer)
  }

  /// Bounds what is open to one host at a time; transfers beyond that wait inside of libcurl.
  func limit(connectionsPerHost: Int, streamsPerConnection: Int) {
    _ = ccurl_multi_set_long(pointer, CURLMOPT_MAX_HOST_CONNECTIONS, connectionsPerHost)
    _ = ccurl_multi_set_long(pointer, CURLMOPT_MAX_CONCURRENT_STREAMS, streamsPerConnection)
  }

  func add(_ handle: CurlHandle) -> Bool {
    curl_multi_add_handle(pointer, handle.easy) == CURLM_OK
  }

  /// Ends the handle's transfer if it runs; an HTTP/2 stream is reset, its connection stays.
  func remove(_ handle: CurlHandle) {
    curl_multi_remove_handle(pointer, handle.easy)
  }

  func handleSocket(_ socket: Int32, direction: Int32) {
    run(socket, direction)
  }

  /// Runs what is due; called for the timer and while `isDueNow`.
  func handleTimer() {
    isDueNow = false
    due = nil
    run(ccurl_socket_timeout, 0)
  }

  /// To be called first when the timer fires: false when libcurl has meanwhile asked for a later time.
  func isTimerDue() -> Bool {
    armed = nil
    if isDueNow { return true }
    guard let due else { return false }
    guard due > .now() else { return true }
    arm(due)
    return false
  }

  /// The next completed transfer and its result.
  func nextCompleted() -> (CurlHandle, CURLcode)? {
    var left: Int32 = 0
    while let message = curl_multi_info_read(pointer, &left) {
      guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle else { continue }
      let result = message.pointee.data.result
      var owner: UnsafeMutableRawPointer?
      guard ccurl_get_pointer(easy, CURLINFO_PRIVATE, &owner) == CURLE_OK, let owner else { continue }
      return (Unmanaged<CurlHandle>.fromOpaque(owner).takeUnretainedValue(), result)
    }
    return nil
  }

  /// Brings sources and timer in line with what libcurl asked for during a pass.
  func settle() {
    for socket in changed { sockets[socket]?.apply() }
    changed.removeAll(keepingCapacity: true)
    guard let next = isDueNow ? .now() : due else { return }
    if let armed, armed <= next { return }
    arm(next)
  }

  private func run(_ socket: Int32, _ direction: Int32) {
    var running: Int32 = 0
    let code = curl_multi_socket_action(pointer, socket, direction, &running)
    if code != CURLM_OK {
      logger.error("libcurl refused to run", metadata: ["code": "\(code.rawValue)"])
    }
  }

  private func arm(_ time: DispatchTime) {
    armed = time
    timer.schedule(deadline: time, leeway: .milliseconds(1))
  }

  fileprivate func socketChanged(_ socket: Int32, _ wanted: Int32) {
    if wanted == CURL_POLL_REMOVE {
      sockets.removeValue(forKey: socket)?.cancel()
      changed.remove(socket)
      return
    }
    if sockets[socket] == nil {
      sockets[socket] = CurlSocket(socket, queue: queue) { [onSocket] direction in onSocket(socket, direction) }
    }
    guard let watch = sockets[socket] else {
      // Its transfers end by their timeouts.
      logger.error("cannot watch a socket: no file descriptor left")
      return
    }
    watch.wanted = wanted
    changed.insert(socket)
  }

  fileprivate func timerChanged(_ milliseconds: Int) {
    isDueNow = milliseconds == 0
    due = milliseconds > 0 ? .now() + .milliseconds(milliseconds) : nil
  }
}

private func socketCallback(
  _ easy: UnsafeMutableRawPointer?,
  _ socket: curl_socket_t,
  _ wanted: Int32,
  _ pointer: UnsafeMutableRawPointer?,
  _ socketPointer: UnsafeMutableRawPointer?
) -> Int32 {
  Unmanaged<CurlMulti>.fromOpaque(pointer!).takeUnretainedValue().socketChanged(socket, wanted)
  return 0
}

private func timerCallback(
  _ multi: UnsafeMutableRawPointer?,
  _ milliseconds: Int,
  _ pointer: UnsafeMutableRawPointer?
) -> Int32 {
  Unmanaged<CurlMulti>.fromOpaque(pointer!).takeUnretainedValue().timerChanged(milliseconds)
  return 0
}
