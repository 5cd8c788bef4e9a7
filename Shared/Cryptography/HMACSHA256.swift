import COpenSSL
public import Foundation

/// HMAC with SHA-256 (RFC 2104) under one key, whose schedule is made once.
public final class HMACSHA256: @unchecked Sendable {
  /// Never changed after it has its key: each code is made by a copy.
  private let keyed: OpaquePointer

  public init(key: some ContiguousBytes) {
    guard let context = EVP_MAC_CTX_new(Algorithms.hmac) else { unrecoverable() }
    keyed = context
    // Not even an empty key may be NULL, which stands for the one before.
    let isSet = key.withUnsafeBytes { bytes in
      let bytes = bytes.bindMemory(to: UInt8.self)
      return withUnsafePointer(to: 0) { copenssl_set_sha256_key(context, bytes.baseAddress ?? $0, bytes.count) }
    }
    guard isSet == 1 else { unrecoverable() }
  }

  deinit {
    EVP_MAC_CTX_free(keyed)
  }

  /// The code's 32 bytes.
  public func code(of bytes: some ContiguousBytes) -> [UInt8] {
    guard let context = EVP_MAC_CTX_dup(keyed) else { unrecoverable() }
    defer { EVP_MAC_CTX_free(context) }
    let isTaken = bytes.withUnsafeBytes { bytes in
      let bytes = bytes.bindMemory(to: UInt8.self)
      return bytes.isEmpty ? 1 : EVP_MAC_update(context, bytes.baseAddress, bytes.count)
    }
    guard isTaken == 1 else { unrecoverable() }
    return [UInt8](unsafeUninitializedCapacity: SHA256.byteCount) { buffer, count in
      guard EVP_MAC_final(context, buffer.baseAddress, &count, SHA256.byteCount) == 1 else { unrecoverable() }
    }
  }

  /// Whether a code is that of the bytes; how long it looks tells nobody anything about the right one.
  public func isValid(_ code: [UInt8], of bytes: some ContiguousBytes) -> Bool {
    let right = self.code(of: bytes)
    return code.count == right.count && CRYPTO_memcmp(code, right, right.count) == 0
  }
}
