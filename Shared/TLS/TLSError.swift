/// Why a connection cannot be secured, in OpenSSL's words; nothing of what was to be sent is in them.
package struct TLSError: Error, Equatable, CustomStringConvertible {
  package let description: String

  /// Whether another attempt may succeed.
  package let isTransient: Bool

  init(_ description: String, isTransient: Bool) {
    self.description = description
    self.isTransient = isTransient
  }

  static let outOfMemory = TLSError("OpenSSL: out of memory", isTransient: true)
}
