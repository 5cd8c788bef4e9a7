import CCurl

/// A handle through which libcurl connects to a mail server: TCP, greeting, EHLO, STARTTLS, AUTH. The mail itself then goes
/// over a `CurlConnection`.
///
/// libcurl's own sending of mail is not used: it blocks the thread until the final reply, closes the connection after a
/// refusal, and does not tell which command was refused.
final class SMTPHandle: CurlHandle {
  /// The server's replies up to the end of AUTH.
  private(set) var replies = SMTPReplyParser()

  init(_ configuration: SMTPConfiguration) throws(TransportError) {
    try super.init()
    let scheme = configuration.security == .tls ? "smtps" : "smtp"
    let host = configuration.host.contains(":") ? "[\(configuration.host)]" : configuration.host
    try reset(
      CurlCommonOptions(
        protocols: scheme,
        caFile: configuration.caFile,
        connectTimeout: configuration.connectTimeout
      )
    )
    try set(CURLOPT_URL, "\(scheme)://\(host):\(configuration.port)/\(configuration.clientName)")
    if configuration.security == .startTLS { try set(CURLOPT_USE_SSL, ccurl_use_ssl_all) }
    if let username = configuration.username { try set(CURLOPT_USERNAME, username) }
    if let password = configuration.password { try set(CURLOPT_PASSWORD, password) }
  }

  override func receiveHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
    replies.receive(bytes)
    return true
  }

  /// Why libcurl could not connect.
  func failure(_ code: CURLcode) -> TransportError {
    let refusal = replies.last.flatMap { $0.code >= 400 ? $0 : nil }
    switch (code, refusal) {
    case (CURLE_LOGIN_DENIED, let reply):
      // 454: the server cannot check the password just now.
      let isTransient = reply.map { $0.code < 500 } ?? false
      return TransportError(.authenticationFailed, isTransient: isTransient, detail: failureText)
    case (CURLE_WEIRD_SERVER_REPLY, let reply?), (CURLE_REMOTE_ACCESS_DENIED, let reply?):
      // Turned away by the greeting or at EHLO: says nothing about the message.
      return TransportError(.cannotConnect, isTransient: true, detail: "\(reply.code) \(reply.text)")
    default:
      let error = TransportError.curl(code, mayHaveBeenProcessed: false, detail: failureText)
      return error.code == .connectionLost
        ? TransportError(.cannotConnect, isTransient: true, detail: failureText) : error
    }
  }
}
