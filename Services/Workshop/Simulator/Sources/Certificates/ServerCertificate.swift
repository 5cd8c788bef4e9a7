import Crypto
import Foundation
import NIOSSL
import Settings
import SwiftASN1
import X509

/// The simulator's own certificate authority and the certificate it signs for this machine.
///
/// `ca.pem` is what clients are told to trust. Keys and certificates stay in the data directory; the server's certificate
/// is renewed before it runs out, the authority stays the same.
struct ServerCertificate {
  private static let names = ["localhost", "127.0.0.1", "::1"]

  /// For NIOSSL: certificate and key of the server.
  let tls: TLSConfiguration

  /// - Parameter names: Host names besides this machine's own.
  init(_ directory: DataDirectory, names: [String] = []) throws(StartError) {
    let authority = try Self.authority(directory)
    let pem = try Self.server(directory, names: Self.names + names, signedBy: authority)
    do {
      let chain = try NIOSSLCertificate.fromPEMBytes(Array(pem.certificate.utf8))
      let key = try NIOSSLPrivateKey(bytes: Array(pem.key.utf8), format: .pem)
      tls = .makeServerConfiguration(
        certificateChain: chain.map { .certificate($0) },
        privateKey: .privateKey(key)
      )
    } catch {
      throw StartError("the certificate in \(directory.path) does not work, delete it to get a new one: \(error)")
    }
  }

  // MARK: Making

  private struct Authority {
    let certificate: Certificate
    let key: Certificate.PrivateKey
    let isNew: Bool
  }

  private static func authority(_ directory: DataDirectory) throws(StartError) -> Authority {
    do {
      if let certificate = try directory.read("ca.pem"), let key = try directory.read("ca-key.pem") {
        return Authority(
          certificate: try Certificate(pemEncoded: certificate),
          key: try Certificate.PrivateKey(pemEncoded: key),
          isNew: false
        )
      }
      let secret = P256.Signing.PrivateKey()
      let key = Certificate.PrivateKey(secret)
      let name = try DistinguishedName { CommonName("Belfry simulator authority") }
      let certificate = try Certificate(
        version: .v3,
        serialNumber: .init(),
        publicKey: key.publicKey,
        notValidBefore: Date(timeIntervalSinceNow: -3_600),
        notValidAfter: Date(timeIntervalSinceNow: 10 * 365 * 86_400),
        issuer: name,
        subject: name,
        signatureAlgorithm: .ecdsaWithSHA256,
        extensions: try Certificate.Extensions {
          Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
          Critical(KeyUsage(keyCertSign: true, cRLSign: true))
          SubjectKeyIdentifier(hash: key.publicKey)
        },
        issuerPrivateKey: key
      )
      try directory.write("ca-key.pem", secret.pemRepresentation, isPrivate: true)
      try directory.write("ca.pem", certificate.serializeAsPEM().pemString)
      return Authority(certificate: certificate, key: key, isNew: true)
    } catch let error as StartError {
      throw error
    } catch {
      throw StartError("ca.pem or ca-key.pem in \(directory.path) does not work, delete both: \(error)")
    }
  }

  private static func server(
    _ directory: DataDirectory,
    names: [String],
    signedBy authority: Authority
  ) throws(StartError) -> (certificate: String, key: String) {
    do {
      let alternatives = SubjectAlternativeNames(names.map(generalName))
      if !authority.isNew, let pem = try directory.read("server.pem"), let key = try directory.read("server-key.pem") {
        let certificate = try Certificate(pemEncoded: pem)
        if certificate.notValidAfter > Date(timeIntervalSinceNow: 30 * 86_400),
          try certificate.extensions.subjectAlternativeNames == alternatives
        {
          return (pem, key)
        }
      }
      let secret = P256.Signing.PrivateKey()
      let key = Certificate.PrivateKey(secret)
      let certificate = try Certificate(
        version: .v3,
        serialNumber: .init(),
        publicKey: key.publicKey,
        notValidBefore: Date(timeIntervalSinceNow: -3_600),
        notValidAfter: Date(timeIntervalSinceNow: 365 * 86_400),
        issuer: authority.certificate.subject,
        subject: try DistinguishedName { CommonName("localhost") },
        signatureAlgorithm: .ecdsaWithSHA256,
        extensions: try Certificate.Extensions {
          Critical(BasicConstraints.notCertificateAuthority)
          Critical(KeyUsage(digitalSignature: true))
          try ExtendedKeyUsage([.serverAuth])
          alternatives
          AuthorityKeyIdentifier(keyIdentifier: SubjectKeyIdentifier(hash: authority.key.publicKey).keyIdentifier)
        },
        issuerPrivateKey: authority.key
      )
      let pem = try certificate.serializeAsPEM().pemString
      try directory.write("server-key.pem", secret.pemRepresentation, isPrivate: true)
      try directory.write("server.pem", pem)
      return (pem, secret.pemRepresentation)
    } catch let error as StartError {
      throw error
    } catch {
      throw StartError("server.pem or server-key.pem in \(directory.path) does not work, delete both: \(error)")
    }
  }

  private static func generalName(_ name: String) -> GeneralName {
    switch name {
    case "127.0.0.1": .ipAddress(ASN1OctetString(contentBytes: [127, 0, 0, 1]))
    case "::1": .ipAddress(ASN1OctetString(contentBytes: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]))
    default: .dnsName(name)
    }
  }
}
