import COpenSSL
import Cryptography

/// What OpenSSL alone takes for a signature of a hash (RSASSA-PKCS1-v1_5, SHA-256), each by the same key.
enum SignatureLoop {
  /// Processor time of one signature, in microseconds.
  static func measure(_ key: PrivateKey, count: Int) throws -> Double {
    guard let context = EVP_PKEY_CTX_new(key.pointer, nil) else { throw BenchError("OpenSSL gave no context") }
    defer { EVP_PKEY_CTX_free(context) }
    guard EVP_PKEY_sign_init(context) == 1, EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1,
      EVP_PKEY_CTX_set_signature_md(context, EVP_sha256()) == 1
    else { throw BenchError("OpenSSL cannot sign by this key") }
    let hash = randomBytes(32)
    var signature = [UInt8](repeating: 0, count: Int(EVP_PKEY_get_size(key.pointer)))
    let started = OwnThread.cpuSeconds
    for _ in 0..<count {
      var size = signature.count
      guard EVP_PKEY_sign(context, &signature, &size, hash, hash.count) == 1, size == signature.count else {
        throw BenchError("OpenSSL's signature failed")
      }
    }
    return (OwnThread.cpuSeconds - started) * 1_000_000 / Double(count)
  }
}
