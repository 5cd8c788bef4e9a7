import CCurl
import NetworkAddresses

/// A libcurl easy handle and what its callbacks need. Used on its engine's queue only.
///
/// libcurl keeps a pointer to this object (`CURLOPT_PRIVATE` and the callbacks' arguments), so the object owns the handle
/// and outlives every transfer on it.
class CurlHandle {
  let easy: UnsafeMutableRawPointer

  private let errorText: UnsafeMutablePointer<CChar>
  /// Whether an address was passed by because it is not in the internet.
  private var hasPassedBy = false

  init() throws(TransportError) {
    guard CurlLibrary.isReady, let easy = curl_easy_init() else {
      throw TransportError(.cannotConnect, isTransient: true, detail: "libcurl could not be initialised")
    }
    self.easy = easy
    errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit {
    curl_easy_cleanup(easy)
    errorText.deallocate()
  }

  /// Takes one reply line; false stops the transfer.
  func receiveHeader(_ bytes: UnsafeRawBufferPointer) -> Bool { true }

  /// Forgets all options, then sets those that every transfer shares.
  func reset(_ common: CurlCommonOptions) throws(TransportError) {
    curl_easy_reset(easy)
    let this = Unmanaged.passUnretained(self).toOpaque()
    try set(CURLOPT_PRIVATE, pointer: this)
    try set(CURLOPT_ERRORBUFFER, pointer: errorText)
    try set(CURLOPT_HEADERDATA, pointer: this)
    try check(ccurl_set_callback(easy, CURLOPT_HEADERFUNCTION, receiveHeaderCallback))
    try set(CURLOPT_NOSIGNAL, 1)
    // Whoever gives up during a name lookup leaves its thread behind; otherwise the queue would wait for it.
    try set(CURLOPT_QUICK_EXIT, 1)
    try set(CURLOPT_TCP_KEEPALIVE, 1)
    try set(CURLOPT_TCP_KEEPIDLE, 30)
    try set(CURLOPT_TCP_KEEPINTVL, 10)
    try set(CURLOPT_SSLVERSION, ccurl_tls_1_2)
    try set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
    try set(CURLOPT_PROTOCOLS_STR, common.protocols)
    try set(CURLOPT_PROXY, "")  // otherwise libcurl would take one from the environment
    try set(CURLOPT_CONNECTTIMEOUT_MS, common.connectTimeout.wholeMilliseconds)
    hasPassedBy = false
    if common.isPublicOnly {
      try set(CURLOPT_OPENSOCKETDATA, pointer: this)
      try check(ccurl_set_open_socket(easy, openSocketCallback))
    }
    if let caFile = common.caFile {
      try set(CURLOPT_CAINFO, caFile)
      // Otherwise the system's folder of authorities would be trusted as well.
      try set(CURLOPT_CAPATH, nil)
    }
  }

  /// Opens the socket for an address that libcurl has resolved, so that none is connected to but that which was looked at.
  ///
  /// - Returns: `CURL_SOCKET_BAD` for one that is not in the internet: libcurl tries the name's next.
  fileprivate func openSocket(_ address: UnsafePointer<curl_sockaddr>) -> curl_socket_t {
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = Int(ccurl_address_bytes(address, &bytes))
    guard PublicAddress.isPublic(Array(bytes.prefix(count))) else {
      hasPassedBy = true
      return -1
    }
    return ccurl_open_socket(address)
  }

  /// The error for what libcurl ended with `code` before anything was sent.
  func unsent(_ code: CURLcode) -> TransportError {
    if hasPassedBy, code == CURLE_COULDNT_CONNECT { return TransportError(.addressNotPublic, isTransient: true) }
    return TransportError.curl(code, mayHaveBeenProcessed: false, detail: failureText)
  }

  /// libcurl's text about the last failure.
  var failureText: String { String(cString: errorText) }

  func set(_ option: CURLoption, _ value: Int) throws(TransportError) {
    try check(ccurl_set_long(easy, option, value))
  }

  func set(_ option: CURLoption, _ value: String?) throws(TransportError) {
    if let value {
      try check(value.withCString { ccurl_set_string(easy, option, $0) })
    } else {
      try check(ccurl_set_string(easy, option, nil))
    }
  }

  func set(_ option: CURLoption, pointer: UnsafeMutableRawPointer?) throws(TransportError) {
    try check(ccurl_set_pointer(easy, option, pointer))
  }

  func long(_ info: CURLINFO) -> Int {
    var value = 0
    return ccurl_get_long(easy, info, &value) == CURLE_OK ? value : 0
  }

  func offset(_ info: CURLINFO) -> Int {
    var value: curl_off_t = 0
    return ccurl_get_offset(easy, info, &value) == CURLE_OK ? Int(value) : 0
  }

  /// Fails if libcurl did not take an option.
  func check(_ code: CURLcode) throws(TransportError) {
    guard code == CURLE_OK else {
      throw TransportError(.invalidRequest("option"), isTransient: false, detail: CurlLibrary.text(of: code))
    }
  }
}

private func handle(_ pointer: UnsafeMutableRawPointer?) -> CurlHandle {
  Unmanaged<CurlHandle>.fromOpaque(pointer!).takeUnretainedValue()
}

/// Any count other than the one given makes libcurl stop the transfer.
private let stop = 0

private func receiveHeaderCallback(
  _ bytes: UnsafeMutablePointer<CChar>?,
  _ size: Int,
  _ count: Int,
  _ pointer: UnsafeMutableRawPointer?
) -> Int {
  let length = size * count
  return handle(pointer).receiveHeader(UnsafeRawBufferPointer(start: bytes, count: length)) ? length : stop
}

private func openSocketCallback(
  _ pointer: UnsafeMutableRawPointer?,
  _ purpose: curlsocktype,
  _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
  guard let address else { return -1 }
  return handle(pointer).openSocket(address)
}
