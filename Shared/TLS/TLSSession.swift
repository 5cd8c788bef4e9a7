import COpenSSL

/// TLS of one connection by OpenSSL: bytes in, bytes out, no network. One thread at a time.
package final class TLSSession {
  package enum Handshake {
    case inProgress
    /// What was agreed upon (RFC 7301), e.g. `h2`; nil: nothing.
    case done(applicationProtocol: String?)
    case failed(TLSError)
  }

  package enum Progress {
    case bytes(Int)
    case wouldBlock
    /// The other side has said that no more will come.
    case ended
    case failed(TLSError)
  }

  private let context: TLSContext
  private let ssl: OpaquePointer
  /// Owned by `ssl`.
  private let fromNetwork: OpaquePointer
  private let toNetwork: OpaquePointer

  private init(_ context: TLSContext) throws(TLSError) {
    guard let ssl = SSL_new(context.pointer), let incoming = BIO_new(BIO_s_mem()), let outgoing = BIO_new(BIO_s_mem())
    else { throw .outOfMemory }
    self.context = context
    self.ssl = ssl
    fromNetwork = incoming
    toNetwork = outgoing
    SSL_set_bio(ssl, incoming, outgoing)
  }

  deinit {
    SSL_free(ssl)
  }

  /// A client, which verifies that the server's certificate is for this host.
  ///
  /// - Parameters:
  ///   - host: A name, or an address without brackets.
  ///   - applicationProtocol: What is offered (RFC 7301).
  /// - Returns: Nil where that is no host.
  package static func client(
    _ context: TLSContext,
    host: String,
    applicationProtocol: String
  ) throws(TLSError) -> TLSSession? {
    let session = try TLSSession(context)
    let ssl = session.ssl
    // Names of hosts stand in the alternative names only (RFC 9525).
    SSL_set_hostflags(ssl, UInt32(X509_CHECK_FLAG_NEVER_CHECK_SUBJECT))
    let offer = [UInt8(applicationProtocol.utf8.count)] + applicationProtocol.utf8
    let isAddress = X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host) == 1
    let isSet =
      SSL_set_alpn_protos(ssl, offer, UInt32(offer.count)) == 0
      && (isAddress || SSL_set1_host(ssl, host) == 1 && copenssl_set_server_name(ssl, host) == 1)
    ERR_clear_error()
    guard isSet else { return nil }
    SSL_set_connect_state(ssl)
    return session
  }

  package static func server(_ context: TLSContext) throws(TLSError) -> TLSSession {
    let session = try TLSSession(context)
    SSL_set_accept_state(session.ssl)
    return session
  }

  // MARK: Handshake

  /// Goes on with the handshake as far as the bytes received allow.
  package func handshake() -> Handshake {
    ERR_clear_error()
    let code = SSL_do_handshake(ssl)
    guard code == 1 else {
      switch SSL_get_error(ssl, code) {
      case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .inProgress
      default: return .failed(failure("handshake failed"))
      }
    }
    var name: UnsafePointer<UInt8>?
    var count: UInt32 = 0
    SSL_get0_alpn_selected(ssl, &name, &count)
    let agreed = UnsafeBufferPointer(start: name, count: Int(count))
    return .done(applicationProtocol: agreed.isEmpty ? nil : String(decoding: agreed, as: UTF8.self))
  }

  private func failure(_ otherwise: String) -> TLSError {
    let verdict = SSL_get_verify_result(ssl)
    guard verdict == X509_V_OK else {
      let reason = X509_verify_cert_error_string(verdict).map { String(cString: $0) }
      return TLSError(reason ?? "\(verdict)", isTransient: false)
    }
    let reason = ERR_reason_error_string(ERR_peek_error()).map { String(cString: $0) }
    return TLSError(reason ?? otherwise, isTransient: true)
  }

  // MARK: Bytes

  /// Takes bytes from the network.
  package func receive(_ bytes: UnsafeRawBufferPointer) {
    // A memory BIO takes everything.
    _ = BIO_write(fromNetwork, bytes.baseAddress, Int32(bytes.count))
  }

  /// How many bytes are for the network.
  package var outgoingCount: Int { BIO_ctrl_pending(toNetwork) }

  /// Moves bytes for the network into `buffer`; answers how many.
  package func collect(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    Int(max(0, BIO_read(toNetwork, buffer.baseAddress, Int32(buffer.count))))
  }

  /// Encrypts, in records of 16 KiB; false if the connection is broken.
  package func send(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard !bytes.isEmpty else { return true }
    ERR_clear_error()
    return SSL_write(ssl, bytes.baseAddress, Int32(bytes.count)) == bytes.count
  }

  /// Tells the other side that no more will come.
  package func finish() {
    ERR_clear_error()
    SSL_shutdown(ssl)
  }

  /// Decrypts what has been received: of one record at a time, which has 16 KiB at most.
  package func read(into buffer: UnsafeMutableRawBufferPointer) -> Progress {
    ERR_clear_error()
    let count = SSL_read(ssl, buffer.baseAddress, Int32(buffer.count))
    if count > 0 { return .bytes(Int(count)) }
    switch SSL_get_error(ssl, count) {
    case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .wouldBlock
    case SSL_ERROR_ZERO_RETURN: return .ended
    default: return .failed(failure("the connection is broken"))
    }
  }
}
