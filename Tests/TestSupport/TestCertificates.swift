import Foundation
package import LocalStack

/// An authority with a certificate for `localhost` (not for its address), and an authority that signed nothing.
package struct TestCertificates: Sendable {
  package let server: RabbitMQCertificate
  package let foreignAuthorityFile: String

  static func make(in directory: String) async throws -> TestCertificates {
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try await authority("authority", in: directory)
    try await authority("foreign", in: directory)
    try "subjectAltName=DNS:localhost".write(
      toFile: directory + "/names",
      atomically: true,
      encoding: .utf8
    )
    try await openSSL(
      "req",
      "-newkey",
      "rsa:2048",
      "-nodes",
      "-subj",
      "/CN=broker",
      "-keyout",
      "server.key",
      "-out",
      "server.csr",
      in: directory
    )
    try await openSSL(
      "x509",
      "-req",
      "-in",
      "server.csr",
      "-CA",
      "authority.pem",
      "-CAkey",
      "authority.key",
      "-CAcreateserial",
      "-days",
      "2",
      "-extfile",
      "names",
      "-out",
      "server.pem",
      in: directory
    )
    return TestCertificates(
      server: RabbitMQCertificate(
        certificateFile: directory + "/server.pem",
        privateKeyFile: directory + "/server.key",
        authorityFile: directory + "/authority.pem"
      ),
      foreignAuthorityFile: directory + "/foreign.pem"
    )
  }

  private static func authority(_ name: String, in directory: String) async throws {
    try await openSSL(
      "req",
      "-x509",
      "-newkey",
      "rsa:2048",
      "-nodes",
      "-days",
      "2",
      "-subj",
      "/CN=\(name)",
      "-keyout",
      "\(name).key",
      "-out",
      "\(name).pem",
      in: directory
    )
  }

  private static func openSSL(_ arguments: String..., in directory: String) async throws {
    try await LocalProcess.run(executable: "openssl", arguments: arguments, directory: directory)
  }
}
