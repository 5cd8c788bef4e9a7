import COpenSSL

/// Reads PEM text.
func readPEM(_ pem: String, _ read: (OpaquePointer) -> OpaquePointer?) -> OpaquePointer? {
  ERR_clear_error()
  var pem = pem
  return pem.withUTF8 { bytes in
    guard let memory = BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count)) else { return nil }
    defer { BIO_free(memory) }
    return read(memory)
  }
}

/// What answers when OpenSSL asks for a passphrase, which it would otherwise do on the terminal: there is none.
func noPassphrase(
  _ buffer: UnsafeMutablePointer<CChar>?,
  _ size: Int32,
  _ isWriting: Int32,
  _ context: UnsafeMutableRawPointer?
) -> Int32 {
  -1
}

/// PEM text of what there is.
func writePEM(_ write: (OpaquePointer) -> Int32) -> String {
  guard let memory = BIO_new(BIO_s_mem()) else { unrecoverable() }
  defer { BIO_free(memory) }
  guard write(memory) == 1 else { unrecoverable() }
  return String(unsafeUninitializedCapacity: BIO_ctrl_pending(memory)) { buffer in
    Int(max(0, BIO_read(memory, buffer.baseAddress, Int32(buffer.count))))
  }
}
