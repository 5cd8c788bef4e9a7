import LocalStack
import TestSupport

extension TemporaryDirectory {
  var certificate: String { file("certificate.pem") }
  var key: String { file("key.pem") }

  /// Makes a self-signed certificate and its key.
  func makeCertificate(named prefix: String = "", for names: String = "DNS:localhost,IP:127.0.0.1") async throws {
    try await LocalProcess.run(
      executable: "openssl",
      arguments: [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
        "-subj", "/CN=localhost", "-addext", "subjectAltName=\(names)",
        "-keyout", file("\(prefix)key.pem"), "-out", file("\(prefix)certificate.pem"),
      ]
    )
  }
}
