import COpenSSL

/// Bytes that nobody can guess, of OpenSSL's generator.
public func randomBytes(_ count: Int) -> [UInt8] {
  [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
    guard RAND_bytes(buffer.baseAddress, Int32(count)) == 1 else { unrecoverable() }
    written = count
  }
}
