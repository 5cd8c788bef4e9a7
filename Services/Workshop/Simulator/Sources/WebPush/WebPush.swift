import Cryptography
import Foundation
import BelfryJSON

/// A push that a push service would accept: read strictly, so that a mistake shows here and not with a browser's maker.
struct WebPush: Sendable {
  /// Bytes that every push service takes (RFC 8030, section 7.2).
  static let maximumPayload = 4_096
  /// Characters of a topic (RFC 8030, section 5.4).
  static let maximumTopic = 32

  let subscription: String
  let ttl: Int
  let urgency: String
  let topic: String?
  let subject: String
  /// As it came.
  let body: [UInt8]
  /// Whether a real browser alone can read it.
  let isForBrowser: Bool
  /// What the browser reads; nil if it could not, or if it is a real one.
  let text: [UInt8]?
  let notificationID: String?
  /// All but the authorization, in the order in which they came.
  let headers: [(name: String, value: String)]

  private static let urgencies: Set = ["very-low", "low", "normal", "high"]

  /// The last part of a path `/push/<id>`; nil of another path.
  static func id(of path: String) -> String? {
    let prefix = "/push/"
    guard path.hasPrefix(prefix), path.utf8.count > prefix.utf8.count else { return nil }
    return String(path.dropFirst(prefix.count))
  }

  /// - Parameter subject: Who says to have sent it.
  init(_ request: ReceivedRequest, to subscription: WebPushSubscriptions.Subscription, from subject: String)
    throws(WebPushRefusal)
  {
    self.subscription = subscription.id
    self.subject = subject
    guard let text = request["ttl"] else { throw .invalid("TTL is required") }
    guard let ttl = Int(text), ttl >= 0, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw .invalid("TTL is no number of seconds")
    }
    self.ttl = ttl
    urgency = request["urgency"] ?? "normal"
    if !Self.urgencies.contains(urgency) { throw .invalid("Urgency is none") }
    topic = request["topic"]
    if let topic, !Self.isTopic(topic) { throw .invalid("Topic is not 1 to 32 characters of base64url") }
    guard let body = request.body, body.count <= Self.maximumPayload else { throw .tooLarge }
    if !body.isEmpty, request["content-encoding"] != "aes128gcm" { throw .invalid("Content-Encoding is not aes128gcm") }
    self.body = body
    isForBrowser = subscription.keys == nil
    headers = request.headers.filter { $0.name != "authorization" }
    // What the browser cannot read the push service does not know: it is taken all the same.
    let decrypted = subscription.keys.flatMap {
      try? PushMessageEncryption.decrypt(body, by: $0.key, secret: $0.secret)
    }
    self.text = decrypted
    let document = decrypted.flatMap { try? JSONParser.parse($0) }
    notificationID = document?["notification"]?["data"]?["notificationId"]?.string
  }

  private static func isTopic(_ text: String) -> Bool {
    (1...maximumTopic).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}
