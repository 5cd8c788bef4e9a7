import COpenSSL

/// The two forms of a signature on P-256: JOSE's 64 bytes (RFC 7518, section 3.4), and DER (RFC 3279, section 2.2.3).
enum ECDSASignature {
  private static let half = 32

  /// Nil unless it has 64 bytes.
  static func der(fromJOSE signature: [UInt8]) -> [UInt8]? {
    guard signature.count == 2 * half, let pair = ECDSA_SIG_new() else { return nil }
    defer { ECDSA_SIG_free(pair) }
    let r = signature.withUnsafeBufferPointer { BN_bin2bn($0.baseAddress, Int32(half), nil) }
    let s = signature.withUnsafeBufferPointer { BN_bin2bn($0.baseAddress.map { $0 + half }, Int32(half), nil) }
    guard ECDSA_SIG_set0(pair, r, s) == 1 else { return nil }
    var bytes: UnsafeMutablePointer<UInt8>?
    let count = i2d_ECDSA_SIG(pair, &bytes)
    guard count > 0, let bytes else { return nil }
    defer { CRYPTO_free(bytes, nil, 0) }
    return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
  }

  /// Nil unless it is the DER of two numbers of 256 bits at most, and nothing else.
  static func jose(fromDER signature: [UInt8]) -> [UInt8]? {
    signature.withUnsafeBufferPointer { bytes -> [UInt8]? in
      var start = bytes.baseAddress
      guard let pair = d2i_ECDSA_SIG(nil, &start, bytes.count) else { return nil }
      defer { ECDSA_SIG_free(pair) }
      guard start == bytes.baseAddress.map({ $0 + bytes.count }) else { return nil }
      var jose = [UInt8](repeating: 0, count: 2 * half)
      let isDone = jose.withUnsafeMutableBufferPointer { jose in
        BN_bn2binpad(ECDSA_SIG_get0_r(pair), jose.baseAddress, Int32(half)) == half
          && BN_bn2binpad(ECDSA_SIG_get0_s(pair), jose.baseAddress.map { $0 + half }, Int32(half)) == half
      }
      return isDone ? jose : nil
    }
  }
}
