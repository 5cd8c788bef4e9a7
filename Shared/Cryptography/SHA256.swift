import COpenSSL
public import Foundation

/// SHA-256 (FIPS 180-4) of what comes in pieces, or at once.
public struct SHA256: ~Copyable {
  /// Bytes of a digest.
  public static let byteCount = 32

  private let context: OpaquePointer

  public init() {
    guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex2(context, Algorithms.sha256, nil) == 1 else {
      unrecoverable()
    }
    self.context = context
  }

  deinit {
    EVP_MD_CTX_free(context)
  }

  public mutating func update(_ bytes: some ContiguousBytes) {
    let isTaken = bytes.withUnsafeBytes { EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
    guard isTaken == 1 else { unrecoverable() }
  }

  /// The digest's 32 bytes.
  public consuming func finalize() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Self.byteCount) { buffer, count in
      guard EVP_DigestFinal_ex(context, buffer.baseAddress, nil) == 1 else { unrecoverable() }
      count = Self.byteCount
    }
  }

  /// The digest's 32 bytes.
  public static func hash(_ bytes: some ContiguousBytes) -> [UInt8] {
    var hash = SHA256()
    hash.update(bytes)
    return hash.finalize()
  }
}
