import Cryptography
import NotificationModel
import NotificationQueue
public import Settings

/// Who may report bounces and complaints, and how each proves itself. What is not set, is not taken.
public struct BounceConfiguration: Sendable {
  /// Amazon's topics (SNS) in which SES reports.
  var sesTopics: [SNSTopic] = []
  /// `user:password` of Postmark's webhook.
  var postmarkCredentials: [String] = []
  /// Public keys of SendGrid's signed event webhook.
  var sendgridKeys: [PublicKey] = []
  /// Mailgun's signing keys.
  var mailgunKeys: [HMACSHA256] = []
  /// By which mails that came back say whose they were.
  var returnPath = ReturnPath.none

  public static let none = BounceConfiguration()

  init() {}

  public init(_ settings: Settings) {
    returnPath = ReturnPath(reading: settings)
    for name in settings.list(
      "bounces.sesTopics",
      default: [],
      "Names (ARN) of the SNS topics in which Amazon SES reports bounces and complaints. Nothing is fetched for any other."
    ) {
      if let topic = SNSTopic(name) {
        sesTopics.append(topic)
      } else {
        settings.problem("BELFRY_BOUNCES_SES_TOPICS: expected names such as arn:aws:sns:eu-west-1:123456789012:bounces")
      }
    }
    postmarkCredentials = Self.texts(
      settings,
      "bounces.postmarkCredentials",
      "User and password of Postmark's webhook, as user:password with at least 20 characters; several, separated by commas, while they change."
    )
    if postmarkCredentials.contains(where: { $0.utf8.count < 20 || !$0.contains(":") }) {
      settings.problem("BELFRY_BOUNCES_POSTMARK_CREDENTIALS: expected user:password, of at least 20 characters")
    }
    for text in settings.list(
      "bounces.sendgridKeys",
      default: [],
      "Public keys of SendGrid's signed event webhook, as its page shows them."
    ) {
      do {
        sendgridKeys.append(try PublicKey(pem: Self.pem(text), .p256))
      } catch {
        settings.problem("BELFRY_BOUNCES_SENDGRID_KEYS: expected public keys on P-256 in base64: \(error)")
      }
    }
    mailgunKeys = Self.texts(
      settings,
      "bounces.mailgunKeys",
      "HTTP webhook signing keys of Mailgun; several, separated by commas, while they change."
    ).map { HMACSHA256(key: Array($0.utf8)) }
  }

  private static func texts(_ settings: Settings, _ key: String, _ summary: String) -> [String] {
    Settings.entries(of: settings.string(key, default: "", summary, isSecret: true))
  }

  static func pem(_ base64: String) -> String {
    "-----BEGIN PUBLIC KEY-----\n\(base64)\n-----END PUBLIC KEY-----\n"
  }
}

/// A topic of Amazon's Simple Notification Service, by its name (ARN).
struct SNSTopic: Sendable, Hashable {
  let name: String
  /// The only host that certificates and confirmations of this topic come from.
  let host: String
  /// Names of which the certificate has one: most regions share the first; later ones, those of China and of the government have
  /// their own, says `SnsHostProvider` of Amazon's SDK for Java.
  let signers: [String]

  /// - Parameter name: `arn:aws:sns:<region>:<account>:<topic>`.
  init?(_ name: String) {
    let parts = name.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 6, parts[0] == "arn", ["aws", "aws-cn", "aws-us-gov"].contains(parts[1]), parts[2] == "sns",
      (5...30).contains(parts[3].utf8.count), parts[3].utf8.allSatisfy(Self.isOfRegion), parts[4].utf8.count == 12,
      !parts[5].isEmpty, parts[5].utf8.count <= 256
    else { return nil }
    self.name = name
    let (region, domain) = (parts[3], parts[1] == "aws-cn" ? "amazonaws.com.cn" : "amazonaws.com")
    host = "sns.\(region).\(domain)"
    signers =
      ["sns.\(domain)", host, "sns-signing.\(region).\(domain)", "sns-\(region).\(domain)"]
      + (parts[1] == "aws-us-gov" ? ["sns-us-gov-west-1.\(domain)"] : [])
  }

  private static func isOfRegion(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
      || byte == UInt8(ascii: "-")
  }

  /// Whether an address is that of a certificate, and of nothing else: this host also answers calls of its interface, in words that whoever
  /// called chose, so that an address with a query could lead to anybody's certificate.
  func isCertificate(_ url: String) -> Bool {
    let (start, end) = ("https://\(host)/SimpleNotificationService-", ".pem")
    guard url.hasPrefix(start), url.hasSuffix(end) else { return false }
    let name = url.utf8.dropFirst(start.utf8.count).dropLast(end.utf8.count)
    // Hexadecimal so far; Amazon promises no form.
    return (1...64).contains(name.count)
      && name.allSatisfy { byte in
        let character = Character(Unicode.Scalar(byte))
        return character.isASCII && (character.isLetter || character.isNumber)
      }
  }

  /// Whether a certificate is one that Amazon signs this topic's messages with, by its names.
  func isSigner(_ certificate: Certificate) -> Bool { signers.contains(where: certificate.isFor) }

  /// Whether an address is below the topic's host, over TLS, and has nothing that could lead elsewhere.
  func isHome(of url: String) -> Bool {
    let start = "https://\(host)/"
    return url.hasPrefix(start) && url.utf8.count <= 2_000
      && url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "\\") && $0 != UInt8(ascii: "@") }
  }
}
