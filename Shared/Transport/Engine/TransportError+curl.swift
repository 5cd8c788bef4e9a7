import CCurl

extension TransportError {
  /// The error for a transfer that libcurl ended with `code`.
  ///
  /// - Parameter detail: libcurl's error buffer; it may name hosts and certificates, so it shows in `debugDescription` only.
  static func curl(_ code: CURLcode, mayHaveBeenProcessed: Bool, detail: String) -> TransportError {
    let text = detail.isEmpty ? CurlLibrary.text(of: code) : "\(detail): \(CurlLibrary.text(of: code))"
    func error(_ kind: Code, isTransient: Bool = true) -> TransportError {
      TransportError(kind, isTransient: isTransient, mayHaveBeenProcessed: mayHaveBeenProcessed, detail: text)
    }
    return switch code {
    case CURLE_OPERATION_TIMEDOUT:
      error(.timeout)
    case CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_NO_CONNECTION_AVAILABLE,
      CURLE_REMOTE_ACCESS_DENIED:
      error(.cannotConnect)
    case CURLE_SSL_CONNECT_ERROR:
      // Also what a server that dies during the handshake looks like.
      error(.tls)
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE,
      CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_USE_SSL_FAILED:
      error(.tls, isTransient: false)
    case CURLE_LOGIN_DENIED, CURLE_AUTH_ERROR:
      error(.authenticationFailed, isTransient: false)
    case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL:
      error(.invalidRequest("url"), isTransient: false)
    case CURLE_FILESIZE_EXCEEDED, CURLE_OUT_OF_MEMORY:
      // The latter is said of a header line beyond libcurl's own limit.
      error(.tooLarge, isTransient: false)
    case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING:
      error(.badResponse)
    default:
      // Resets, GOAWAY, partial or empty answers, send and receive errors.
      error(.connectionLost)
    }
  }
}
