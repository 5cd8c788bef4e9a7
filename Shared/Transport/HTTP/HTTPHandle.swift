import CCurl

/// A handle for HTTP that remembers the options of its last request, so that only what differs is set anew.
final class HTTPHandle: CurlHandle {
  /// What decides which options a request needs; nil until the first.
  struct Shape: Equatable {
    var method: String
    var hasBody: Bool

    var sendsBody: Bool { hasBody || method == "POST" }
  }

  var shape: Shape?
  var url = ""
  var headers: HTTPHeaderList?

  private(set) var body: [UInt8] = []
  private(set) var headerLines: [UInt8] = []
  private(set) var isHeaderComplete = false
  private(set) var isBodyTooLarge = false

  private let bodyLimit: Int

  /// The request's body, at an address that stays while libcurl sends it, and is kept from request to request.
  private var upload = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  private let uploadKept = 64 * 1_024

  /// - Parameter bodyLimit: In bytes; a longer answer is stopped.
  init(bodyLimit: Int) throws(TransportError) {
    self.bodyLimit = bodyLimit
    try super.init()
  }

  deinit {
    upload.deallocate()
  }

  /// Takes the body of the next request; it is sent again from here when a connection is found dead.
  func begin(upload bytes: [UInt8]) throws(TransportError) {
    isBodyTooLarge = false
    isHeaderComplete = false
    guard shape?.sendsBody == true else { return }
    if upload.count < bytes.count {
      upload.deallocate()
      upload = .allocate(byteCount: max(bytes.count, 1_024), alignment: 16)
    }
    upload.copyBytes(from: bytes)
    try set(CURLOPT_POSTFIELDSIZE_LARGE, offset: bytes.count)
    try set(CURLOPT_POSTFIELDS, pointer: upload.baseAddress)
  }

  func end() {
    body = []
    headerLines = []
    if upload.count > uploadKept {
      upload.deallocate()
      upload = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    }
  }

  override func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard body.count + bytes.count <= bodyLimit else {
      isBodyTooLarge = true
      return false
    }
    body.append(contentsOf: bytes)
    return true
  }

  override func receiveHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
    // A status line begins the fields anew: those of an interim answer (1xx) do not count.
    if bytes.starts(with: "HTTP/".utf8) {
      isHeaderComplete = false
      headerLines.removeAll(keepingCapacity: true)
    } else if bytes.elementsEqual("\r\n".utf8) || bytes.elementsEqual("\n".utf8) {
      isHeaderComplete = true
    } else {
      headerLines.append(contentsOf: bytes)
    }
    return true
  }
}
