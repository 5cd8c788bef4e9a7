import COpenSSL

/// HKDF with SHA-256 (RFC 5869): extract and expand.
public enum HKDF {
  /// - Parameters:
  ///   - info: 1,024 bytes at most.
  ///   - count: Bytes wanted, 8,160 at most.
  public static func derive(from secret: [UInt8], salt: [UInt8], info: [UInt8], count: Int) -> [UInt8] {
    precondition((1...255 * SHA256.byteCount).contains(count) && info.count <= 1_024)
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
      let isDone = copenssl_hkdf(
        Algorithms.hkdf,
        secret,
        secret.count,
        salt,
        salt.count,
        info,
        info.count,
        buffer.baseAddress,
        count
      )
      guard isDone == 1 else { unrecoverable() }
      written = count
    }
  }
}
