import COpenSSL
import Synchronization

/// An OpenSSL key, freed with the last reference. OpenSSL 3 counts and locks within.
final class KeyHandle: @unchecked Sendable {
  let pointer: OpaquePointer
  private let algorithm: SignatureAlgorithm
  /// Those that nobody uses just now: as many as there were threads at once.
  private let contexts = Mutex<[VerificationContext]>([])

  /// Takes over the pointer.
  ///
  /// - Parameter algorithm: The key's kind. RSA must have 2,048 bits or more (RFC 7518, section 3.3), and numbers with which a
  ///   signature proves something: with an exponent of 1 anybody could sign.
  init(_ pointer: OpaquePointer?, _ algorithm: SignatureAlgorithm) throws(CryptographyError) {
    guard let pointer else { throw .invalidKey(lastError()) }
    self.pointer = pointer
    self.algorithm = algorithm
    switch algorithm {
    case .rsa:
      guard EVP_PKEY_is_a(pointer, "RSA") == 1 else { throw .invalidKey("no RSA key") }
      let bits = EVP_PKEY_get_bits(pointer)
      guard (2_048...16_384).contains(bits) else { throw .invalidKey("an RSA key of \(bits) bits: 2048 are the least") }
      guard isOddNumber("n", bits: 2_048...16_384), isOddNumber("e", bits: 2...33) else {
        throw .invalidKey("an RSA key with a modulus or exponent that is none")
      }
    case .p256:
      guard EVP_PKEY_is_a(pointer, "EC") == 1, Self.isOnP256(pointer) else { throw .invalidKey("no key on P-256") }
    }
  }

  deinit {
    EVP_PKEY_free(pointer)
  }

  /// Whether a signature, of P-256 in DER, is that of what has this digest by SHA-256.
  func isValid(_ signature: [UInt8], of digest: [UInt8]) -> Bool {
    let context = contexts.withLock { $0.popLast() } ?? VerificationContext(pointer, algorithm)
    defer { contexts.withLock { $0.append(context) } }
    return context.isValid(signature, of: digest)
  }

  private func isOddNumber(_ name: String, bits: ClosedRange<Int32>) -> Bool {
    var number: OpaquePointer?
    guard EVP_PKEY_get_bn_param(pointer, name, &number) == 1 else { return false }
    defer { BN_free(number) }
    return BN_is_odd(number) == 1 && bits.contains(BN_num_bits(number))
  }

  private static func isOnP256(_ key: OpaquePointer) -> Bool {
    var name = [CChar](repeating: 0, count: 64)
    var count = 0
    guard EVP_PKEY_get_group_name(key, &name, name.count, &count) == 1 else { return false }
    return name.prefix(count).elementsEqual("prime256v1".utf8.map { CChar($0) })
  }
}
