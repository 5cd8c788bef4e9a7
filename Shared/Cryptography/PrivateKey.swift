import COpenSSL
public import Foundation

/// A key that signs. Its text is in no description.
public struct PrivateKey: Sendable, CustomStringConvertible, CustomReflectable {
  public let publicKey: PublicKey
  private var handle: KeyHandle { publicKey.handle }

  /// An `EVP_PKEY`, which lives as long as the key.
  package var pointer: OpaquePointer { handle.pointer }

  public var algorithm: SignatureAlgorithm { publicKey.algorithm }
  /// Its length; of RSA that of the modulus.
  public var bits: Int { Int(EVP_PKEY_get_bits(handle.pointer)) }
  public var description: String { "PrivateKey" }
  public var customMirror: Mirror { Mirror(self, children: []) }

  /// From PKCS#8, PKCS#1 or SEC 1 in PEM, without a passphrase.
  public init(pem: String, _ algorithm: SignatureAlgorithm) throws(CryptographyError) {
    let pointer = readPEM(pem) { PEM_read_bio_PrivateKey($0, nil, noPassphrase, nil) }
    publicKey = PublicKey(try KeyHandle(pointer, algorithm), algorithm)
  }

  /// From the number of a P-256 key: 32 bytes, big-endian, as VAPID keys are written.
  public init(p256 scalar: [UInt8]) throws(CryptographyError) {
    guard scalar.count == 32 else { throw .invalidKey("a private key on P-256 has 32 bytes") }
    // SEC 1's ECPrivateKey (RFC 5915) without the public key, which OpenSSL works out.
    let der = [0x30, 0x31, 2, 1, 1, 4, 32] + scalar + [0xA0, 10, 6, 8, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 3, 1, 7]
    let pointer = der.withUnsafeBufferPointer { bytes in
      var start = bytes.baseAddress
      return d2i_PrivateKey(EVP_PKEY_EC, nil, &start, bytes.count)
    }
    publicKey = PublicKey(try KeyHandle(pointer, .p256), .p256)
    guard let context = EVP_PKEY_CTX_new(pointer, nil) else { unrecoverable() }
    defer { EVP_PKEY_CTX_free(context) }
    // Neither 0 nor the curve's order and above.
    guard EVP_PKEY_private_check(context) == 1 else { throw .invalidKey(lastError()) }
  }

  /// A new one; RSA with 2,048 bits.
  public init(_ algorithm: SignatureAlgorithm) throws(CryptographyError) {
    let pointer = algorithm == .rsa ? copenssl_generate_rsa(2_048) : copenssl_generate_p256()
    publicKey = PublicKey(try KeyHandle(pointer, algorithm), algorithm)
  }

  /// PKCS#8 in PEM.
  public var pem: String {
    writePEM { PEM_write_bio_PrivateKey($0, handle.pointer, nil, nil, 0, nil, nil) }
  }

  /// A signature as JOSE has it: of P-256 64 bytes, `r` before `s`.
  public func signature(of bytes: some ContiguousBytes) throws(CryptographyError) -> [UInt8] {
    let raw = try derSignature(of: bytes)
    guard algorithm == .p256 else { return raw }
    guard let signature = ECDSASignature.jose(fromDER: raw) else { throw .failed("a signature that is none") }
    return signature
  }

  /// The same in DER; of RSA there is one form only.
  public func derSignature(of bytes: some ContiguousBytes) throws(CryptographyError) -> [UInt8] {
    guard let context = EVP_MD_CTX_new() else { unrecoverable() }
    defer { EVP_MD_CTX_free(context) }
    guard EVP_DigestSignInit(context, nil, Algorithms.sha256, nil, handle.pointer) == 1 else {
      throw .failed(lastError())
    }
    var count = Int(EVP_PKEY_get_size(handle.pointer))
    var signature = [UInt8](repeating: 0, count: count)
    let isSigned = bytes.withUnsafeBytes { bytes in
      let bytes = bytes.bindMemory(to: UInt8.self)
      return EVP_DigestSign(context, &signature, &count, bytes.baseAddress, bytes.count)
    }
    guard isSigned == 1 else { throw .failed(lastError()) }
    return Array(signature.prefix(count))
  }

  /// The 32 bytes that both sides have in common (ECDH on P-256, SP 800-56A): for ``HKDF``, never as a key.
  public func sharedSecret(with other: PublicKey) throws(CryptographyError) -> [UInt8] {
    guard let context = EVP_PKEY_CTX_new(handle.pointer, nil) else { unrecoverable() }
    defer { EVP_PKEY_CTX_free(context) }
    var count = 32
    var secret = [UInt8](repeating: 0, count: count)
    guard algorithm == .p256, other.algorithm == .p256, EVP_PKEY_derive_init(context) == 1,
      EVP_PKEY_derive_set_peer(context, other.handle.pointer) == 1,
      EVP_PKEY_derive(context, &secret, &count) == 1, count == 32
    else { throw .failed(lastError()) }
    return secret
  }
}
