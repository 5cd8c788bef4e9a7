import CCurl

/// How a request is put on a handle and how its outcome is read from it.
struct HTTPExchange {
  private let configuration: HTTPClientConfiguration
  private let common: CurlCommonOptions

  /// The latest header lists; a sender uses few different ones.
  private var headerLists: [HTTPHeaderList] = []
  private let headerListsKept = 4

  private var lastURL = ""
  private var lastLane = (name: "", slots: 0)

  init(_ configuration: HTTPClientConfiguration) {
    self.configuration = configuration
    common = CurlCommonOptions(
      protocols: "http,https",
      caFile: configuration.caFile,
      connectTimeout: configuration.connectTimeout
    )
  }

  func makeHandle() throws(TransportError) -> HTTPHandle {
    try HTTPHandle(bodyLimit: configuration.maximumResponseBody)
  }

  /// Requests of one scheme, host and port share a lane: at most `slots` of them run at once, the others wait outside of libcurl.
  mutating func lane(of request: HTTPRequest) -> (name: String, slots: Int) {
    if request.url == lastURL { return lastLane }
    let parts = request.url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true)
    let name = parts.prefix(2).joined(separator: "//").lowercased()
    // Without TLS there is no HTTP/2 here, hence one request a connection.
    let streams = name.hasPrefix("https:") ? configuration.maximumStreamsPerConnection : 1
    lastURL = request.url
    lastLane = (name, configuration.maximumConnectionsPerHost * streams)
    return lastLane
  }

  mutating func prepare(
    _ handle: HTTPHandle,
    for request: HTTPRequest,
    timeout: Duration
  ) throws(TransportError) {
    let shape = HTTPHandle.Shape(method: request.method, hasBody: !request.body.isEmpty)
    if handle.shape != shape {
      handle.shape = nil
      try configure(handle, for: shape)
      handle.url = ""
      handle.headers = nil
      handle.shape = shape
    }
    if handle.url != request.url {
      handle.url = ""
      try setURL(handle, request.url)
      handle.url = request.url
    }
    if handle.headers?.holds(request.headers) != true {
      let headers = try headerList(request.headers)
      try handle.set(CURLOPT_HTTPHEADER, list: headers.list)
      handle.headers = headers
    }
    try handle.begin(upload: request.body)
    try handle.set(CURLOPT_TIMEOUT_MS, timeout.wholeMilliseconds)
  }

  func outcome(on handle: HTTPHandle, code: CURLcode) -> Result<HTTPResponse, TransportError> {
    let status = handle.long(CURLINFO_RESPONSE_CODE)
    guard code == CURLE_OK, status >= 200, isComplete(handle, status) else {
      return .failure(failure(on: handle, code))
    }
    let version =
      switch handle.long(CURLINFO_HTTP_VERSION) {
      case Int(CURL_HTTP_VERSION_2_0): "2"
      case Int(CURL_HTTP_VERSION_1_0): "1.0"
      default: "1.1"
      }
    return .success(
      HTTPResponse(
        status: status,
        headers: HTTPHeaders(lines: handle.headerLines),
        body: handle.body,
        httpVersion: version
      )
    )
  }

  /// libcurl reports some reset streams and cut connections as success: the whole header and the announced length must be there.
  private func isComplete(_ handle: HTTPHandle, _ status: Int) -> Bool {
    guard handle.isHeaderComplete else { return false }
    guard handle.shape?.method != "HEAD", status != 204, status != 304 else { return true }
    return handle.body.count >= handle.offset(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)
  }

  private func failure(on handle: HTTPHandle, _ code: CURLcode) -> TransportError {
    if handle.isBodyTooLarge {
      return TransportError(.tooLarge, isTransient: false, mayHaveBeenProcessed: true)
    }
    // A user name in the URL: see CURLOPT_DISALLOW_USERNAME_IN_URL.
    if code == CURLE_LOGIN_DENIED { return .invalid("url") }
    let wasSent = handle.long(CURLINFO_REQUEST_SIZE) > 0
    return .curl(code, mayHaveBeenProcessed: wasSent, detail: handle.failureText)
  }

  private func configure(_ handle: HTTPHandle, for shape: HTTPHandle.Shape) throws(TransportError) {
    guard !shape.method.isEmpty, shape.method.utf8.allSatisfy({ UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }) else {
      throw .invalid("method")
    }
    try handle.reset(common)
    try handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    try handle.set(CURLOPT_PIPEWAIT, 1)
    try handle.set(CURLOPT_FOLLOWLOCATION, 0)
    switch shape.method {
    case "GET" where !shape.hasBody: try handle.set(CURLOPT_HTTPGET, 1)
    case "HEAD" where !shape.hasBody: try handle.set(CURLOPT_NOBODY, 1)
    case "POST": try handle.set(CURLOPT_POST, 1)
    default:
      if shape.sendsBody { try handle.set(CURLOPT_POST, 1) }
      try handle.set(CURLOPT_CUSTOMREQUEST, shape.method)
    }
  }

  private func setURL(_ handle: HTTPHandle, _ url: String) throws(TransportError) {
    let isAbsolute = url.lowercased().hasPrefix("https://") || url.lowercased().hasPrefix("http://")
    guard isAbsolute, url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else { throw .invalid("url") }
    try handle.set(CURLOPT_URL, url)
  }

  private mutating func headerList(_ fields: [(name: String, value: String)]) throws(TransportError) -> HTTPHeaderList {
    if let list = headerLists.first(where: { $0.holds(fields) }) { return list }
    let list = try HTTPHeaderList(fields)
    if headerLists.count == headerListsKept { headerLists.removeFirst() }
    headerLists.append(list)
    return list
  }
}
