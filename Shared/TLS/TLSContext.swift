import COpenSSL
package import Cryptography

/// What TLS connections have in common: whom a client trusts, or what a server shows. TLS 1.2 at least, never renegotiated.
///
/// OpenSSL counts and locks within, and nothing is changed once it is made, so connections of all threads may share one.
package final class TLSContext: @unchecked Sendable {
  let pointer: OpaquePointer

  /// What a server may agree upon (RFC 7301), each with its length before it, the best first; empty for a client.
  private let protocols: [UInt8]

  private init(_ method: OpaquePointer?, applicationProtocols: [String] = []) throws(TLSError) {
    guard let context = SSL_CTX_new(method) else { throw .outOfMemory }
    pointer = context
    protocols = applicationProtocols.flatMap { [UInt8($0.utf8.count)] + $0.utf8 }
    // RFC 9113, section 9.2.1.
    copenssl_forbid_renegotiation(context)
    guard copenssl_require_tls_1_2(context) == 1 else { throw .outOfMemory }
  }

  deinit {
    SSL_CTX_free(pointer)
  }

  /// Verifies the server's certificate. Make it once: reading the system's authorities takes milliseconds.
  ///
  /// - Parameter caFile: A PEM file with the authorities to trust; nil: those of the system.
  package static func client(caFile: String?) throws(TLSError) -> TLSContext {
    let context = try TLSContext(TLS_client_method())
    SSL_CTX_set_verify(context.pointer, SSL_VERIFY_PEER, nil)
    // A file of authorities may hold an intermediate one only, as with libcurl.
    X509_VERIFY_PARAM_set_flags(SSL_CTX_get0_param(context.pointer), UInt(X509_V_FLAG_PARTIAL_CHAIN))
    let isSet =
      if let caFile {
        SSL_CTX_load_verify_locations(context.pointer, caFile, nil)
      } else {
        SSL_CTX_set_default_verify_paths(context.pointer)
      }
    guard isSet == 1 else { throw TLSError("the file of trusted authorities cannot be read", isTransient: false) }
    return context
  }

  /// Asks for no certificate.
  ///
  /// - Parameter applicationProtocols: What may be agreed upon, the best first. A client that offers none of them is served as
  ///   well.
  package static func server(
    certificate: Certificate,
    key: PrivateKey,
    applicationProtocols: [String] = []
  ) throws(TLSError) -> TLSContext {
    let context = try TLSContext(TLS_server_method(), applicationProtocols: applicationProtocols)
    guard SSL_CTX_use_certificate(context.pointer, certificate.pointer) == 1,
      SSL_CTX_use_PrivateKey(context.pointer, key.pointer) == 1, SSL_CTX_check_private_key(context.pointer) == 1
    else { throw TLSError("the certificate is not that of the key", isTransient: false) }
    if !context.protocols.isEmpty {
      SSL_CTX_set_alpn_select_cb(context.pointer, selectProtocol, Unmanaged.passUnretained(context).toOpaque())
    }
    return context
  }

  fileprivate func choose(
    _ chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ count: UnsafeMutablePointer<UInt8>?,
    from offer: UnsafePointer<UInt8>?,
    _ offered: UInt32
  ) -> Int32 {
    protocols.withUnsafeBufferPointer { protocols in
      var name: UnsafeMutablePointer<UInt8>?
      let outcome = SSL_select_next_proto(&name, count, protocols.baseAddress, UInt32(protocols.count), offer, offered)
      guard outcome == OPENSSL_NPN_NEGOTIATED else { return SSL_TLSEXT_ERR_NOACK }
      // In the client's offer or in `protocols`, which the connection keeps.
      chosen?.pointee = UnsafePointer(name)
      return SSL_TLSEXT_ERR_OK
    }
  }
}

/// The context outlives its connections, each of which keeps it.
private func selectProtocol(
  _ ssl: OpaquePointer?,
  _ chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
  _ count: UnsafeMutablePointer<UInt8>?,
  _ offer: UnsafePointer<UInt8>?,
  _ offered: UInt32,
  _ context: UnsafeMutableRawPointer?
) -> Int32 {
  guard let context else { return SSL_TLSEXT_ERR_NOACK }
  return Unmanaged<TLSContext>.fromOpaque(context).takeUnretainedValue().choose(chosen, count, from: offer, offered)
}
