/// One request on an HTTP/2 connection and as much of its answer as has come.
final class HTTP2Stream {
  typealias Job = TransferInbox<HTTPRequest, HTTPResponse>.Job

  let job: Job
  let begun = ContinuousClock.now

  /// Bytes of the request's body that have been handed to nghttp2.
  var sent = 0

  private(set) var status = 0
  private(set) var isTooLarge = false
  /// The server has ended its side.
  var isComplete = false
  /// The server takes the request over HTTP/1.1 only, and did not process it.
  var needsHTTP1 = false

  private var headerLines: [UInt8] = []
  private var body: [UInt8] = []
  private let bodyLimit: Int
  private let headerLimit = 65_536

  /// - Parameter bodyLimit: In bytes; a longer answer is stopped.
  init(_ job: Job, bodyLimit: Int) {
    self.job = job
    self.bodyLimit = bodyLimit
  }

  /// Takes a header field; false if the header has become too large.
  func receiveHeader(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) -> Bool {
    if name.elementsEqual(":status".utf8) {
      // Begins the fields anew: those of an interim answer (1xx) do not count.
      status = value.reduce(0) { $0 * 10 + Int($1) - 0x30 }
      headerLines.removeAll(keepingCapacity: true)
      headerLines.reserveCapacity(256)
      return true
    }
    isTooLarge = headerLines.count + name.count + value.count > headerLimit
    guard !isTooLarge else { return false }
    headerLines.append(contentsOf: name)
    headerLines.append(contentsOf: ": ".utf8)
    headerLines.append(contentsOf: value)
    headerLines.append(contentsOf: "\r\n".utf8)
    return true
  }

  /// Takes a piece of the body; false if it has become too large.
  func receiveBody(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    isTooLarge = body.count + bytes.count > bodyLimit
    guard !isTooLarge else { return false }
    body.append(contentsOf: bytes)
    return true
  }

  /// The answer, or why there is none, now that the stream is closed.
  ///
  /// - Parameters:
  ///   - isRefused: The server has told that it did not process the request.
  ///   - connection: The number of the connection that carried it.
  func outcome(isRefused: Bool, over connection: UInt64) -> Result<HTTPResponse, TransportError> {
    if isTooLarge { return .failure(TransportError(.tooLarge, isTransient: false, mayHaveBeenProcessed: true)) }
    guard isComplete, status >= 200 else {
      if needsHTTP1 { return .failure(TransportError(.badResponse, isTransient: true, detail: "it wants HTTP/1.1")) }
      return .failure(TransportError(.connectionLost, isTransient: true, mayHaveBeenProcessed: !isRefused))
    }
    return .success(
      HTTPResponse(
        status: status,
        headers: HTTPHeaders(lines: headerLines),
        body: body,
        httpVersion: "2",
        connection: connection
      )
    )
  }
}
