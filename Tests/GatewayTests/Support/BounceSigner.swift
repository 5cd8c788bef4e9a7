import Cryptography
import Foundation
import HTTPTypes
import BelfryJSON
import NotificationModel
import Synchronization
import TestSupport
import Testing
import WallClock

@testable import Gateway

/// Signs as the providers of mail do, with keys of its own.
final class BounceSigner: Sendable {
  static let shared = Result { try BounceSigner() }

  static let topic = "arn:aws:sns:eu-west-1:123456789012:bounces"
  static let host = "sns.eu-west-1.amazonaws.com"
  static let certificateURL = "https://\(host)/SimpleNotificationService-0123456789abcdef.pem"
  static let credentials = "postmark:a password of ours"
  static let postmark: HTTPFields = [
    .authorization: "Basic \(Data(credentials.utf8).base64EncodedString())"
  ]
  static let mailgunKey = "key-0123456789abcdef0123456789abcdef"
  static let returnSecret = "a secret of return paths, thirty-two bytes"

  let amazon: PrivateKey
  let certificate: String
  /// Signed by the same, with the same key, but for another host.
  let foreignCertificate: String
  private let twilio: PrivateKey

  private init() throws {
    let amazon = try PrivateKey(.rsa)
    self.amazon = amazon
    twilio = try PrivateKey(.p256)
    let key = try PrivateKey(.rsa)
    let authority = try Certificate.authority(named: "Amazon", key: key, days: 2)
    func certificate(for host: String) throws -> String {
      try Certificate.server(
        for: [host],
        key: amazon.publicKey,
        days: 2,
        // Also at the moment at which routes are asked.
        age: .seconds(Date.now.timeIntervalSince(RouteCase.moment) + 86_400),
        signedBy: (authority, key)
      ).pem
    }
    self.certificate = try certificate(for: "sns.amazonaws.com")
    foreignCertificate = try certificate(for: "sns.eu-west-1.amazonaws.com.example.com")
  }

  /// What was asked of Amazon.
  final class Fetches: Sendable {
    private let urls = Mutex<[String]>([])

    var all: [String] { urls.withLock { $0 } }

    func add(_ url: String) { urls.withLock { $0.append(url) } }
  }

  /// A desk that takes all providers' reports.
  ///
  /// - Parameter page: What Amazon answers instead of the certificate.
  func desk(
    returnPath: ReturnPath = .none,
    fetches: Fetches = Fetches(),
    failing: Bool = false,
    page: String? = nil,
    telemetry: BounceTelemetry = BounceTelemetry(),
    limits: RateLimits? = nil
  ) throws -> BounceDesk {
    var configuration = BounceConfiguration.none
    configuration.sesTopics = [try #require(SNSTopic(Self.topic))]
    configuration.postmarkCredentials = [Self.credentials]
    configuration.sendgridKeys = [twilio.publicKey]
    configuration.mailgunKeys = [HMACSHA256(key: Array(Self.mailgunKey.utf8))]
    configuration.returnPath = returnPath
    return BounceDesk(
      configuration,
      fetch: { [certificate] url in
        fetches.add(url)
        if failing { throw BounceRefusal.unavailable("away") }
        return Array((page ?? certificate).utf8)
      },
      telemetry: telemetry,
      limits: limits,
      logger: .quiet
    )
  }

  /// A message of a topic.
  ///
  /// - Parameters:
  ///   - changed: After it was signed.
  ///   - sign: Instead of Amazon's key, over SHA-256.
  func sns(
    _ message: String,
    at time: Date,
    id: String = UUID().uuidString,
    type: String = "Notification",
    topic: String = topic,
    certificateURL: String = certificateURL,
    subscribeURL: String? = nil,
    version: String = "2",
    changed: [String: String] = [:],
    sign: (([UInt8]) throws -> [UInt8])? = nil
  ) throws -> String {
    var members = ["Message": message, "MessageId": id, "Timestamp": time.rfc3339, "TopicArn": topic, "Type": type]
    if let subscribeURL {
      members["SubscribeURL"] = subscribeURL
      members["Token"] = "token"
    }
    let content = members.sorted { $0.key < $1.key }.map { "\($0.key)\n\($0.value)\n" }.joined()
    let signature = try sign?(Array(content.utf8)) ?? amazon.derSignature(of: Array(content.utf8))
    members["SignatureVersion"] = version
    members["Signature"] = Data(signature).base64EncodedString()
    members["SigningCertURL"] = certificateURL
    members.merge(changed) { $1 }
    return JSONWriter.object(members)
  }

  /// The headers of SendGrid's signature.
  func sendgrid(_ body: String, at time: Date) throws -> HTTPFields {
    let timestamp = String(Int(time.timeIntervalSince1970))
    let signature = try twilio.derSignature(of: Array((timestamp + body).utf8))
    return [.sendgridSignature: Data(signature).base64EncodedString(), .sendgridTimestamp: timestamp]
  }

  /// A webhook of Mailgun's.
  func mailgun(
    _ data: String,
    at time: Date,
    token: String = UUID().uuidString,
    key: String = mailgunKey
  ) -> String {
    let timestamp = String(Int(time.timeIntervalSince1970))
    let code = HMACSHA256(key: Array(key.utf8)).code(of: Array((timestamp + token).utf8)).hexadecimal
    return
      #"{"signature":{"timestamp":"\#(timestamp)","token":"\#(token)","signature":"\#(code)"},"event-data":\#(data)}"#
  }
}
