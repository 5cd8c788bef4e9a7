import Cryptography
import Foundation
import Settings
import TLS

/// The simulator's own certificate authority and the certificate it signs for this machine.
///
/// `ca.pem` is what clients are told to trust. Keys and certificates stay in the data directory; the server's certificate
/// is renewed before it runs out, the authority stays the same.
struct ServerCertificate {
  private typealias Pair = (certificate: Certificate, key: PrivateKey)

  private static let names = ["localhost", "127.0.0.1", "::1"]

  private let directory: DataDirectory
  private let server: Pair

  /// - Parameter names: Host names besides this machine's own.
  init(_ directory: DataDirectory, names: [String] = []) throws(StartError) {
    self.directory = directory
    let authority = try Self.authority(directory)
    server = try Self.server(directory, names: Self.names + names, signedBy: authority)
  }

  /// What connections show.
  func context(applicationProtocols: [String] = []) throws(StartError) -> TLSContext {
    do {
      return try .server(
        certificate: server.certificate,
        key: server.key,
        applicationProtocols: applicationProtocols
      )
    } catch {
      throw StartError("the certificate in \(directory.path) does not work, delete it to get a new one: \(error)")
    }
  }

  // MARK: Making

  private static func authority(_ directory: DataDirectory) throws(StartError) -> Pair {
    if let pair = try read(directory, "ca") { return pair }
    return try write(directory, "ca") { key throws(CryptographyError) in
      try Certificate.authority(named: "Belfry simulator authority", key: key, days: 3_650)
    }
  }

  private static func server(
    _ directory: DataDirectory,
    names: [String],
    signedBy authority: Pair
  ) throws(StartError) -> Pair {
    if let pair = try read(directory, "server"), pair.certificate.isSigned(by: authority.key.publicKey),
      pair.certificate.notValidAfter > Date(timeIntervalSinceNow: 30 * 86_400), names.allSatisfy(pair.certificate.isFor)
    {
      return pair
    }
    return try write(directory, "server") { key throws(CryptographyError) in
      try Certificate.server(for: names, key: key.publicKey, days: 365, signedBy: authority)
    }
  }

  // MARK: Keeping

  /// Nil while one of the two files is missing.
  private static func read(_ directory: DataDirectory, _ name: String) throws(StartError) -> Pair? {
    guard let certificate = try directory.read("\(name).pem"), let key = try directory.read("\(name)-key.pem") else {
      return nil
    }
    return try using(directory, name) { () throws(CryptographyError) in
      (try Certificate(pem: certificate), try PrivateKey(pem: key, .p256))
    }
  }

  private static func write(
    _ directory: DataDirectory,
    _ name: String,
    make: (PrivateKey) throws(CryptographyError) -> Certificate
  ) throws(StartError) -> Pair {
    let pair = try using(directory, name) { () throws(CryptographyError) in
      let key = try PrivateKey(.p256)
      return (certificate: try make(key), key: key)
    }
    try directory.write("\(name)-key.pem", pair.key.pem, isPrivate: true)
    try directory.write("\(name).pem", pair.certificate.pem)
    return pair
  }

  private static func using(
    _ directory: DataDirectory,
    _ name: String,
    _ body: () throws(CryptographyError) -> Pair
  ) throws(StartError) -> Pair {
    do {
      return try body()
    } catch {
      throw StartError("\(name).pem or \(name)-key.pem in \(directory.path) does not work, delete both: \(error)")
    }
  }
}
