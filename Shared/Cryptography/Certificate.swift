import COpenSSL
public import Foundation

/// An X.509 certificate (RFC 5280).
public final class Certificate: @unchecked Sendable {
  /// An `X509`, never changed once the certificate is made.
  package let pointer: OpaquePointer

  init(_ pointer: OpaquePointer) {
    self.pointer = pointer
  }

  deinit {
    X509_free(pointer)
  }

  /// The first certificate of a PEM text.
  public convenience init(pem: String) throws(CryptographyError) {
    guard let pointer = readPEM(pem, { PEM_read_bio_X509($0, nil, noPassphrase, nil) }) else {
      throw .invalidKey("no certificate: \(lastError())")
    }
    self.init(pointer)
  }

  public var pem: String {
    writePEM { PEM_write_bio_X509($0, pointer) }
  }

  public var notValidBefore: Date { Self.date(X509_get0_notBefore(pointer)) }

  public var notValidAfter: Date { Self.date(X509_get0_notAfter(pointer)) }

  private static func date(_ time: UnsafePointer<ASN1_TIME>?) -> Date {
    var (days, seconds) = (Int32(0), Int32(0))
    let now = Date.now
    let asn1 = ASN1_TIME_set(nil, Int(now.timeIntervalSince1970))
    defer { ASN1_TIME_free(asn1) }
    ASN1_TIME_diff(&days, &seconds, asn1, time)
    return now.addingTimeInterval(Double(days) * 86_400 + Double(seconds))
  }

  /// Whether it was signed with the other half of this key.
  public func isSigned(by key: PublicKey) -> Bool {
    defer { ERR_clear_error() }
    return X509_verify(pointer, key.handle.pointer) == 1
  }

  /// Whether it is for this host: a name, or an address without brackets, in its alternative names (RFC 9525).
  public func isFor(_ host: String) -> Bool {
    X509_check_ip_asc(pointer, host, 0) == 1
      || X509_check_host(pointer, host, host.utf8.count, UInt32(X509_CHECK_FLAG_NEVER_CHECK_SUBJECT), nil) == 1
  }
}
