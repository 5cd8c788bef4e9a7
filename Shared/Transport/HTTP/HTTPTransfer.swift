import CCurl
import Dispatch

/// One request on a libcurl handle of its own, and its answer as it comes. Used on its engine's queue only.
final class HTTPTransfer: CurlHandle {
  /// What the caller waits for: a piece of the body, or nil when the answer is complete.
  typealias Step = Result<[UInt8]?, TransportError>

  /// Where it runs.
  let multi: CurlMulti

  /// Whether the request went out, or began to.
  var wasSent: Bool { attempts > 0 }

  private let method: String
  private let isHandedOn: Bool
  private let bodyLimit: Int
  /// Bytes of the header, interim answers' included.
  private let headerLimit = 65_536
  private let timeout: Duration
  private let timer: any DispatchSourceTimer
  private let fields: HTTPHeaderList
  private var attempts = 0

  private var headerCount = 0
  private var headerLines: [UInt8] = []
  private var isHeaderComplete = false
  private var body: [UInt8] = []
  private var received = 0
  private var isTooLarge = false

  private var waiter: CheckedContinuation<Step, Never>?
  private var isPaused = false
  private var outcome: Step?

  /// - Parameters:
  ///   - isHandedOn: Whether the caller takes the body of a 2xx in pieces; any other is collected.
  ///   - onTimeout: Called on the queue when the caller has waited for too long.
  init(
    _ request: HTTPRequest,
    on multi: CurlMulti,
    isHandedOn: Bool,
    _ configuration: HTTPClientConfiguration,
    queue: DispatchQueue,
    onTimeout: @escaping @Sendable () -> Void
  ) throws(TransportError) {
    self.multi = multi
    self.isHandedOn = isHandedOn
    method = request.method
    bodyLimit = configuration.maximumResponseBody
    timeout = request.timeout ?? configuration.timeout
    timer = DispatchSource.makeTimerSource(queue: queue)
    timer.setEventHandler(handler: onTimeout)
    timer.activate()
    fields = HTTPHeaderList(request.headers + request.ownHeaders)
    try super.init()
    try prepare(request, configuration)
  }

  deinit {
    timer.cancel()
  }

  // MARK: The request

  private func prepare(_ request: HTTPRequest, _ configuration: HTTPClientConfiguration) throws(TransportError) {
    try reset(
      CurlCommonOptions(
        protocols: "http,https",
        caFile: configuration.caFile,
        connectTimeout: configuration.connectTimeout,
        isPublicOnly: configuration.publicAddressesOnly
      )
    )
    let this = Unmanaged.passUnretained(self).toOpaque()
    try set(CURLOPT_PREREQDATA, pointer: this)
    try check(ccurl_set_prerequest(easy, beginCallback))
    try set(CURLOPT_WRITEDATA, pointer: this)
    try check(ccurl_set_callback(easy, CURLOPT_WRITEFUNCTION, receiveBodyCallback))
    try set(CURLOPT_URL, request.url)
    // Some releases of libcurl take `/%2E%2E/` for a step upwards: another resource would be asked for.
    try set(CURLOPT_PATH_AS_IS, 1)
    // Requests wait for a connection that they may share, until its handshake has said whether it speaks HTTP/2. Without TLS
    // they would wait for the first answer.
    let isSecure = request.url.lowercased().hasPrefix("https:")
    try set(CURLOPT_HTTP_VERSION, Int(isSecure ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1))
    try set(CURLOPT_PIPEWAIT, 1)
    // As much as libcurl takes for an HTTP/2 header: 7.88 reads what exceeds its buffer only when something else comes.
    try set(CURLOPT_BUFFERSIZE, 131_072)
    if method == "HEAD" {
      try set(CURLOPT_NOBODY, 1)
    } else if !request.body.isEmpty || ["PATCH", "POST", "PUT"].contains(method) {
      try set(CURLOPT_POST, 1)
      try set(CURLOPT_POSTFIELDSIZE, request.body.count)
      let code = request.body.withUnsafeBytes {
        ccurl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: $0.baseAddress))
      }
      try check(code)
    }
    try set(CURLOPT_CUSTOMREQUEST, method)
    try check(ccurl_set_list(easy, CURLOPT_HTTPHEADER, fields.list))
  }

  /// libcurl is about to send the request. False the second time, when a connection has ended without an answer.
  fileprivate func begin() -> Bool {
    attempts += 1
    return attempts == 1
  }

  // MARK: The answer

  /// As much of it as has come, without what was handed on.
  var response: HTTPResponse {
    let version =
      switch long(CURLINFO_HTTP_VERSION) {
      case Int(CURL_HTTP_VERSION_2_0): "2"
      case Int(CURL_HTTP_VERSION_1_0): "1.0"
      default: "1.1"
      }
    return HTTPResponse(status: status, headers: HTTPHeaders(lines: headerLines), body: body, httpVersion: version)
  }

  private var status: Int { long(CURLINFO_RESPONSE_CODE) }

  override func receiveHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
    // Fields after the body are no part of the answer.
    guard !isHeaderComplete else { return true }
    headerCount += bytes.count
    isTooLarge = headerCount > headerLimit
    guard !isTooLarge else { return false }
    if bytes.elementsEqual("\r\n".utf8) || bytes.elementsEqual("\n".utf8) {
      isHeaderComplete = status >= 200
    } else if bytes.starts(with: "HTTP/".utf8) {
      // Begins the fields anew: those of an interim answer (1xx) do not count.
      headerLines.removeAll(keepingCapacity: true)
    } else {
      headerLines.append(contentsOf: bytes)
    }
    return true
  }

  /// Takes a piece of the body.
  ///
  /// - Returns: How much of it was taken: all, none to stop the transfer, or `CURL_WRITEFUNC_PAUSE`.
  fileprivate func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
    if isHandedOn, 200..<300 ~= status {
      guard waiter != nil else {
        isPaused = true
        return Int(CURL_WRITEFUNC_PAUSE)
      }
      answer(.success(Array(bytes)))
    } else {
      isTooLarge = body.count + bytes.count > bodyLimit
      guard !isTooLarge else { return 0 }
      body.append(contentsOf: bytes)
    }
    received += bytes.count
    return bytes.count
  }

  // MARK: The caller

  /// Makes the caller wait for the next step, no longer than the timeout; libcurl may have to go on afterwards.
  func wait(_ caller: CheckedContinuation<Step, Never>) {
    if let outcome { return caller.resume(returning: outcome) }
    waiter = caller
    timer.schedule(deadline: .now() + .milliseconds(timeout.wholeMilliseconds))
    guard isPaused else { return }
    isPaused = false
    let code = curl_easy_pause(easy, CURLPAUSE_CONT)
    if code != CURLE_OK { finish(code) }
  }

  /// Ends it by what libcurl says.
  func finish(_ code: CURLcode) {
    finish(code == CURLE_OK && isComplete ? .success(nil) : .failure(failure(code)))
  }

  /// Ends it; the first outcome counts.
  func finish(_ step: Step) {
    guard outcome == nil else { return }
    outcome = step
    answer(step)
  }

  private func answer(_ step: Step) {
    timer.schedule(deadline: .distantFuture)
    waiter?.resume(returning: step)
    waiter = nil
  }

  /// libcurl reports some reset streams and cut connections as success: the whole header and the announced length must be there.
  private var isComplete: Bool {
    guard isHeaderComplete else { return false }
    if method == "HEAD" || status == 204 || status == 304 { return true }
    return received >= offset(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)
  }

  private func failure(_ code: CURLcode) -> TransportError {
    if isTooLarge { return TransportError(.tooLarge, isTransient: false, mayHaveBeenProcessed: true) }
    // A user name in the URL: see CURLOPT_DISALLOW_USERNAME_IN_URL.
    if code == CURLE_LOGIN_DENIED { return .invalid("url") }
    guard wasSent else { return unsent(code) }
    let error = TransportError.curl(code, mayHaveBeenProcessed: true, detail: failureText)
    // What libcurl does not support is the answer.
    if case .invalidRequest = error.code {
      return TransportError(.badResponse, isTransient: true, mayHaveBeenProcessed: true, detail: failureText)
    }
    // The connection ended without an answer, and libcurl turned to another to send the request again.
    if attempts > 1 || error.code == .cannotConnect || error.code == .tls {
      return TransportError(.connectionLost, isTransient: true, mayHaveBeenProcessed: true)
    }
    return error
  }
}

private func transfer(_ pointer: UnsafeMutableRawPointer?) -> HTTPTransfer {
  Unmanaged<HTTPTransfer>.fromOpaque(pointer!).takeUnretainedValue()
}

private func beginCallback(
  _ pointer: UnsafeMutableRawPointer?,
  _ remoteAddress: UnsafeMutablePointer<CChar>?,
  _ localAddress: UnsafeMutablePointer<CChar>?,
  _ remotePort: Int32,
  _ localPort: Int32
) -> Int32 {
  transfer(pointer).begin() ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}

private func receiveBodyCallback(
  _ bytes: UnsafeMutablePointer<CChar>?,
  _ size: Int,
  _ count: Int,
  _ pointer: UnsafeMutableRawPointer?
) -> Int {
  transfer(pointer).receiveBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
}
