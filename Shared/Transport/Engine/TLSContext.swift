import COpenSSL

/// Whom TLS connections trust. Made once: reading the system's authorities takes milliseconds.
final class TLSContext {
  let pointer: OpaquePointer

  /// - Parameter caFile: A PEM file with the authorities to trust; nil: those of the system.
  init(caFile: String?) throws(TransportError) {
    guard let context = SSL_CTX_new(TLS_client_method()) else {
      throw TransportError(.tls, isTransient: true, detail: "OpenSSL: out of memory")
    }
    pointer = context
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
    // RFC 9113, section 9.2.1.
    copenssl_forbid_renegotiation(context)
    // A file of authorities may hold an intermediate one only, as with libcurl.
    X509_VERIFY_PARAM_set_flags(SSL_CTX_get0_param(context), UInt(X509_V_FLAG_PARTIAL_CHAIN))
    let isSet =
      copenssl_require_tls_1_2(context) == 1
      && (caFile.map { SSL_CTX_load_verify_locations(context, $0, nil) } ?? SSL_CTX_set_default_verify_paths(context))
        == 1
    guard isSet else {
      throw TransportError(.tls, isTransient: false, detail: "the file of trusted authorities cannot be read")
    }
  }

  deinit {
    SSL_CTX_free(pointer)
  }
}
