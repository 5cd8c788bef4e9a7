import Cryptography
import Foundation
import BelfryJSON
import WallClock

/// A message of Amazon's Simple Notification Service over HTTPS, and what its signature covers.
///
/// Source: "Verifying the signatures of Amazon SNS messages", signature versions 1 (SHA-1) and 2 (SHA-256).
struct SNSMessage: Sendable {
  enum Kind: String, Sendable {
    case notification = "Notification"
    case subscription = "SubscriptionConfirmation"
    case unsubscription = "UnsubscribeConfirmation"
  }

  let kind: Kind
  let id: String
  let topic: SNSTopic
  let message: String
  let time: Date?
  /// Where a subscription is confirmed.
  let subscribeURL: String?
  let certificateURL: String
  let usesSHA1: Bool
  let signature: [UInt8]
  /// What is signed.
  let content: [UInt8]

  /// - Parameter topics: Those that count. One of any other is refused here, before anything is fetched.
  init(_ bytes: [UInt8], topics: [SNSTopic]) throws(BounceRefusal) {
    guard let json = try? JSONParser.report(bytes), json.members != nil else {
      throw .unreadable("it is no JSON object")
    }
    guard let topic = topics.first(where: { $0.name == json["TopicArn"]?.string }) else {
      throw .forged("its topic is none of BELFRY_BOUNCES_SES_TOPICS")
    }
    self.topic = topic
    guard let kind = json["Type"]?.string.flatMap(Kind.init(rawValue:)), let id = json["MessageId"]?.string,
      let message = json["Message"]?.string, let timestamp = json["Timestamp"]?.string
    else { throw .unreadable("Type, MessageId, Message or Timestamp is missing") }
    (self.kind, self.id, self.message) = (kind, id, message)
    time = Date(rfc3339: timestamp)
    subscribeURL = json["SubscribeURL"]?.string
    switch json["SignatureVersion"]?.string {
    case "1": usesSHA1 = true
    case "2": usesSHA1 = false
    default: throw .forged("its signature's version is neither 1 nor 2")
    }
    guard let certificateURL = json["SigningCertURL"]?.string, topic.isCertificate(certificateURL)
    else { throw .forged("SigningCertURL is no certificate's at \(topic.host)") }
    self.certificateURL = certificateURL
    guard let text = json["Signature"]?.string, text.utf8.count <= 2_048, let signature = Data(base64Encoded: text)
    else { throw .forged("it has no signature") }
    self.signature = Array(signature)
    let names =
      kind == .notification
      ? ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"]
      : ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"]
    var content = ""
    for name in names {
      if let value = json[name]?.string { content += "\(name)\n\(value)\n" }
    }
    self.content = Array(content.utf8)
  }

  func check(_ certificate: Certificate, at now: Date) throws(BounceRefusal) {
    guard certificate.notValidBefore <= now, now < certificate.notValidAfter else {
      throw .forged("its certificate is not valid now")
    }
    guard topic.isSigner(certificate) else { throw .forged("its certificate is not for \(topic.host)") }
    guard certificate.isValid(signature, of: content, usingSHA1: usesSHA1) else {
      throw .forged("its signature is wrong")
    }
  }
}
