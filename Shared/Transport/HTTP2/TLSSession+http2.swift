import TLS

extension TLSSession {
  /// HTTP/2 over TLS (RFC 9113, section 3.2).
  static let http2 = "h2"

  /// A client that speaks nothing else.
  static func http2(_ context: TLSContext, host: String) throws(TransportError) -> TLSSession {
    let session: TLSSession?
    do {
      session = try TLSSession.client(context, host: host, applicationProtocol: http2)
    } catch {
      throw TransportError(error)
    }
    guard let session else { throw .invalid("url") }
    return session
  }

  func receive(_ bytes: ArraySlice<UInt8>) {
    bytes.withUnsafeBytes { receive($0) }
  }

  func send(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { send($0) }
  }

  func read(into buffer: inout [UInt8]) -> Progress {
    buffer.withUnsafeMutableBytes { read(into: $0) }
  }

  /// Moves what is for the network to the end of `buffer`.
  func collect(into buffer: inout [UInt8]) {
    let waiting = outgoingCount
    guard waiting > 0 else { return }
    let start = buffer.count
    buffer.append(contentsOf: repeatElement(0, count: waiting))
    let count = buffer.withUnsafeMutableBytes { collect(into: UnsafeMutableRawBufferPointer(rebasing: $0[start...])) }
    buffer.removeLast(waiting - count)
  }
}

extension TransportError {
  init(_ error: TLSError) {
    self.init(.tls, isTransient: error.isTransient, detail: error.description)
  }
}
