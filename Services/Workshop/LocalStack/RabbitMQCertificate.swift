/// The files (PEM) with which a RabbitMQ node serves TLS.
public struct RabbitMQCertificate: Sendable {
  public var certificateFile: String
  public var privateKeyFile: String
  /// The authority that signed the certificate.
  public var authorityFile: String

  public init(certificateFile: String, privateKeyFile: String, authorityFile: String) {
    self.certificateFile = certificateFile
    self.privateKeyFile = privateKeyFile
    self.authorityFile = authorityFile
  }
}
