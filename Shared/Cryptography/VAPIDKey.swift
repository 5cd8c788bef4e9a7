/// A key with which an application server says who it is to push services (VAPID, RFC 8292). Its text is in no description.
///
/// Browsers tie a subscription to the public half, so it cannot be replaced from one day to the next: see ``VAPIDKeyID``.
public struct VAPIDKey: Sendable, CustomStringConvertible, CustomReflectable {
  /// ``VAPIDKeyID`` of its public half.
  public let id: String
  /// The public half as browsers want it: a point of P-256, uncompressed, in base64url.
  public let publicText: String
  private let key: PrivateKey

  public var description: String { "VAPIDKey(\(id))" }
  public var customMirror: Mirror { Mirror(self, children: ["id": id]) }

  public init(_ key: PrivateKey) throws(CryptographyError) {
    guard let point = key.publicKey.point else { throw .invalidKey("no key on P-256") }
    self.key = key
    publicText = Base64URL.encode(point)
    id = VAPIDKeyID.of(point)
  }

  /// PKCS#8 in PEM.
  public var pem: String { key.pem }

  /// The value of the header field `Authorization` for push services of one origin.
  ///
  /// - Parameters:
  ///   - origin: Scheme, host, and port unless it is the scheme's own.
  ///   - subject: A `mailto:` or `https:` address without quotes and backslashes.
  ///   - expiry: Seconds since 1970, at most a day from now.
  public func authorization(for origin: String, subject: String, expiry: Int) throws(CryptographyError) -> String {
    let claims = #"{"aud":"\#(origin)","exp":\#(expiry),"sub":"\#(subject)"}"#
    let signed = [#"{"typ":"JWT","alg":"ES256"}"#, claims].map { Base64URL.encode($0.utf8) }.joined(separator: ".")
    let signature = try key.signature(of: Array(signed.utf8))
    return "vapid t=\(signed).\(Base64URL.encode(signature)), k=\(publicText)"
  }
}
