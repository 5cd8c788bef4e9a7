import COpenSSL
import Foundation

extension Certificate {
  /// A certificate that signs itself and servers' ones, but no other authorities.
  public static func authority(named name: String, key: PrivateKey, days: Int) throws(CryptographyError) -> Certificate
  {
    let certificate = try unsigned(for: key.publicKey, named: name, days: days)
    try certificate.add(
      [
        (NID_basic_constraints, "critical,CA:TRUE,pathlen:0"), (NID_key_usage, "critical,keyCertSign,cRLSign"),
        (NID_subject_key_identifier, "hash"),
      ],
      issuer: certificate
    )
    try certificate.sign(by: key, as: certificate)
    return certificate
  }

  /// A server's certificate.
  ///
  /// - Parameters:
  ///   - hosts: Names, and addresses without brackets.
  ///   - age: For how long it has been valid.
  public static func server(
    for hosts: [String],
    key: PublicKey,
    days: Int,
    age: Duration = .seconds(3_600),
    signedBy authority: (certificate: Certificate, key: PrivateKey)
  ) throws(CryptographyError) -> Certificate {
    let certificate = try unsigned(for: key, named: hosts.first ?? "", days: days, age: age)
    let names = hosts.map { host in
      // A comma would begin another name.
      let isAddress = a2i_IPADDRESS(host).map { ASN1_OCTET_STRING_free($0) } != nil
      return (isAddress ? "IP:" : "DNS:") + host.filter { $0 != "," }
    }
    try certificate.add(
      [
        (NID_basic_constraints, "critical,CA:FALSE"), (NID_key_usage, "critical,digitalSignature"),
        (NID_ext_key_usage, "serverAuth"), (NID_subject_alt_name, names.joined(separator: ",")),
        (NID_authority_key_identifier, "keyid"),
      ],
      issuer: authority.certificate
    )
    try certificate.sign(by: authority.key, as: authority.certificate)
    return certificate
  }

  /// - Parameter age: For how long it has been valid.
  private static func unsigned(
    for key: PublicKey,
    named name: String,
    days: Int,
    age: Duration = .seconds(3_600)
  ) throws(CryptographyError) -> Certificate {
    guard let pointer = X509_new() else { unrecoverable() }
    let certificate = Certificate(pointer)
    let serial = randomBytes(16)
    // A serial number is positive (RFC 5280, section 4.1.2.2).
    let number = BN_bin2bn([serial[0] & 0x7F] + serial[1...], 16, nil)
    defer { BN_free(number) }
    guard X509_set_version(pointer, Int(X509_VERSION_3)) == 1,
      BN_to_ASN1_INTEGER(number, X509_get_serialNumber(pointer)) != nil,
      X509_gmtime_adj(X509_getm_notBefore(pointer), -Int(age / .seconds(1))) != nil,
      X509_gmtime_adj(X509_getm_notAfter(pointer), days * 86_400) != nil,
      X509_set_pubkey(pointer, key.handle.pointer) == 1,
      X509_NAME_add_entry_by_NID(
        X509_get_subject_name(pointer),
        NID_commonName,
        0x1000,
        Array(name.utf8),
        Int32(name.utf8.count),
        -1,
        0
      ) == 1
    else { throw .failed(lastError()) }
    return certificate
  }

  private func add(_ extensions: [(Int32, String)], issuer: Certificate) throws(CryptographyError) {
    for (nid, value) in extensions where copenssl_add_extension(pointer, issuer.pointer, nid, value) != 1 {
      throw .failed(lastError())
    }
  }

  private func sign(by key: PrivateKey, as issuer: Certificate) throws(CryptographyError) {
    guard X509_set_issuer_name(pointer, X509_get_subject_name(issuer.pointer)) == 1,
      X509_sign(pointer, key.publicKey.handle.pointer, Algorithms.sha256) > 0
    else { throw .failed(lastError()) }
  }
}
