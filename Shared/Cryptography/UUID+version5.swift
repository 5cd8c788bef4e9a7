import COpenSSL
public import Foundation

extension UUID {
  /// The UUIDv5 of a name (RFC 9562, 5.5): version, variant and 122 bits of SHA-1, which protects nothing here.
  public init(version5 name: String, in namespace: UUID) {
    var input = withUnsafeBytes(of: namespace.uuid) { Array($0) }
    input.append(contentsOf: name.utf8)
    var digest = [UInt8](repeating: 0, count: 20)
    guard EVP_Digest(input, input.count, &digest, nil, Algorithms.sha1, nil) == 1 else { unrecoverable() }
    digest[6] = digest[6] & 0x0F | 0x50
    digest[8] = digest[8] & 0x3F | 0x80
    self = digest.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}
