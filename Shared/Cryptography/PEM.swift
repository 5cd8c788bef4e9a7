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

/// PEM text of what there is.
func writePEM(_ write: (OpaquePointer) -> Int32) -> String {
  guard let memory = BIO_new(BIO_s_mem()) else { outOfMemory() }
  defer { BIO_free(memory) }
  guard write(memory) == 1 else { outOfMemory() }
  return String(unsafeUninitializedCapacity: BIO_ctrl_pending(memory)) { buffer in
    Int(max(0, BIO_read(memory, buffer.baseAddress, Int32(buffer.count))))
  }
}
