import COpenSSL

/// TLS of one connection as a client, by OpenSSL: bytes in, bytes out, no network. Used on its engine's queue only.
///
/// The server's certificate is verified, and that it is for this host.
final class TLSSession {
  enum Handshake {
    case underWay
    case done
    case failed(TransportError)
  }

  enum Progress {
    case bytes(Int)
    case wouldBlock
    case ended
  }

  private let context: TLSContext
  private let ssl: OpaquePointer
  /// Owned by `ssl`.
  private let fromNetwork: OpaquePointer
  private let toNetwork: OpaquePointer
  private let applicationProtocol: String

  /// - Parameters:
  ///   - host: A name, or an address without brackets.
  ///   - applicationProtocol: What must be agreed upon (RFC 7301), e.g. `h2`.
  init(_ context: TLSContext, host: String, applicationProtocol: String) throws(TransportError) {
    guard let ssl = SSL_new(context.pointer), let incoming = BIO_new(BIO_s_mem()), let outgoing = BIO_new(BIO_s_mem())
    else { throw TransportError(.tls, isTransient: true, detail: "OpenSSL: out of memory") }
    self.context = context
    self.ssl = ssl
    self.applicationProtocol = applicationProtocol
    fromNetwork = incoming
    toNetwork = outgoing
    SSL_set_bio(ssl, incoming, outgoing)
    // Names of hosts stand in the alternative names only (RFC 9525).
    SSL_set_hostflags(ssl, UInt32(X509_CHECK_FLAG_NEVER_CHECK_SUBJECT))
    let offer = [UInt8(applicationProtocol.utf8.count)] + applicationProtocol.utf8
    let isAddress = X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host) == 1
    let isSet =
      SSL_set_alpn_protos(ssl, offer, UInt32(offer.count)) == 0
      && (isAddress || SSL_set1_host(ssl, host) == 1 && copenssl_set_server_name(ssl, host) == 1)
    guard isSet else { throw .invalid("url") }
    SSL_set_connect_state(ssl)
    ERR_clear_error()
  }

  deinit {
    SSL_free(ssl)
  }

  // MARK: Handshake

  /// Goes on with the handshake as far as the bytes received allow.
  func handshake() -> Handshake {
    ERR_clear_error()
    let code = SSL_do_handshake(ssl)
    guard code == 1 else {
      switch SSL_get_error(ssl, code) {
      case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .underWay
      default: return .failed(failure)
      }
    }
    var name: UnsafePointer<UInt8>?
    var length: UInt32 = 0
    SSL_get0_alpn_selected(ssl, &name, &length)
    guard UnsafeBufferPointer(start: name, count: Int(length)).elementsEqual(applicationProtocol.utf8) else {
      let detail = "the server does not speak \(applicationProtocol)"
      return .failed(TransportError(.badResponse, isTransient: false, detail: detail))
    }
    return .done
  }

  private var failure: TransportError {
    let verdict = SSL_get_verify_result(ssl)
    guard verdict == X509_V_OK else {
      let reason = X509_verify_cert_error_string(verdict).map { String(cString: $0) } ?? "\(verdict)"
      return TransportError(.tls, isTransient: false, detail: reason)
    }
    let reason = ERR_reason_error_string(ERR_peek_error()).map { String(cString: $0) } ?? "handshake failed"
    return TransportError(.tls, isTransient: true, detail: reason)
  }

  // MARK: Bytes

  /// Takes bytes from the network.
  func receive(_ bytes: ArraySlice<UInt8>) {
    // A memory BIO takes everything.
    _ = bytes.withUnsafeBytes { BIO_write(fromNetwork, $0.baseAddress, Int32($0.count)) }
  }

  /// Moves what is for the network to the end of `buffer`.
  func collect(into buffer: inout [UInt8]) {
    let waiting = BIO_ctrl_pending(toNetwork)
    guard waiting > 0 else { return }
    let start = buffer.count
    buffer.append(contentsOf: repeatElement(0, count: waiting))
    let count = buffer.withUnsafeMutableBytes { bytes in
      BIO_read(toNetwork, bytes.baseAddress.map { $0 + start }, Int32(waiting))
    }
    buffer.removeLast(waiting - Int(max(0, count)))
  }

  /// Encrypts, in records of 16 KiB; false if the connection is broken.
  func send(_ bytes: [UInt8]) -> Bool {
    guard !bytes.isEmpty else { return true }
    ERR_clear_error()
    return bytes.withUnsafeBytes { SSL_write(ssl, $0.baseAddress, Int32($0.count)) } == bytes.count
  }

  /// Tells the server that no more will come.
  func finish() {
    ERR_clear_error()
    SSL_shutdown(ssl)
  }

  /// Decrypts what has been received.
  func read(into buffer: inout [UInt8]) -> Progress {
    ERR_clear_error()
    let count = buffer.withUnsafeMutableBytes { SSL_read(ssl, $0.baseAddress, Int32($0.count)) }
    if count > 0 { return .bytes(Int(count)) }
    return SSL_get_error(ssl, count) == SSL_ERROR_WANT_READ ? .wouldBlock : .ended
  }
}
