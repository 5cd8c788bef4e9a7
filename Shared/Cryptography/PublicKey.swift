import COpenSSL
public import Foundation

/// A key that verifies signatures.
public struct PublicKey: Sendable {
  public let algorithm: SignatureAlgorithm
  let handle: KeyHandle

  /// From the numbers `n` and `e` of a JWK (RFC 7518, section 6.3), big-endian.
  public init(rsaModulus n: [UInt8], exponent e: [UInt8]) throws(CryptographyError) {
    algorithm = .rsa
    handle = try KeyHandle(copenssl_rsa_public_key(n, n.count, e, e.count), .rsa)
  }

  /// From a point in SEC 1's uncompressed form: 65 bytes, 0x04 first. One that is not on the curve is refused.
  public init(p256 point: [UInt8]) throws(CryptographyError) {
    guard point.count == 65, point[0] == 4 else { throw .invalidKey("a point of P-256 has 65 bytes") }
    algorithm = .p256
    handle = try KeyHandle(copenssl_p256_public_key(point, point.count), .p256)
  }

  /// From SubjectPublicKeyInfo in PEM.
  public init(pem: String, _ algorithm: SignatureAlgorithm) throws(CryptographyError) {
    self.algorithm = algorithm
    handle = try KeyHandle(readPEM(pem) { PEM_read_bio_PUBKEY($0, nil, noPassphrase, nil) }, algorithm)
  }

  init(_ handle: KeyHandle, _ algorithm: SignatureAlgorithm) {
    (self.handle, self.algorithm) = (handle, algorithm)
  }

  /// SubjectPublicKeyInfo in PEM.
  public var pem: String {
    writePEM { PEM_write_bio_PUBKEY($0, handle.pointer) }
  }

  /// The point of a P-256 key: 65 bytes in SEC 1's uncompressed form; nil of an RSA key, and of one that was read in another form.
  public var point: [UInt8]? {
    guard algorithm == .p256 else { return nil }
    var bytes = [UInt8](repeating: 0, count: 65)
    var count = 0
    guard EVP_PKEY_get_octet_string_param(handle.pointer, "pub", &bytes, bytes.count, &count) == 1, count == 65 else {
      return nil
    }
    return bytes
  }

  /// Whether a signature, as JOSE has it, is that of the bytes: of P-256 64 bytes, `r` before `s` (RFC 7518, section 3.4).
  public func isValid(_ signature: [UInt8], of bytes: some ContiguousBytes) -> Bool {
    switch algorithm {
    case .rsa: handle.isValid(signature, of: SHA256.hash(bytes))
    case .p256: ECDSASignature.der(fromJOSE: signature).map { handle.isValid($0, of: SHA256.hash(bytes)) } ?? false
    }
  }

  /// The same of a signature in DER, as X.509 has it.
  public func isValid(der signature: [UInt8], of bytes: some ContiguousBytes) -> Bool {
    handle.isValid(signature, of: SHA256.hash(bytes))
  }
}
