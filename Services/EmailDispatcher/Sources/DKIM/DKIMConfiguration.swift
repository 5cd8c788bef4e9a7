import Cryptography
import Foundation
public import Settings
import Transport

/// With which keys mails are signed, for mail servers that do not sign.
public struct DKIMConfiguration: ServiceConfiguration {
  /// A key, and under which name the domain's record has its public half.
  public struct Key: Sendable, Equatable {
    public var selector: String
    /// A PEM file.
    public var file: String
    /// The setting that names the file.
    let setting: String
  }

  /// In whose name; empty: the domain of the From address.
  public var domain: String
  /// Signs every mail; nil: mails are not signed.
  public var key: Key?
  /// That which came before or comes next: it signs nothing, and `belfry check mail` looks for its record, too.
  public var otherKey: Key?
  /// Headers that the mail server writes anew, in lower case.
  public var unsignedHeaders: [String]

  public init(_ settings: Settings) {
    let selector = settings.string(
      "email.dkim.selector",
      default: "",
      "Name of the DKIM key in the domain's records: SELECTOR._domainkey.DOMAIN."
    )
    let file = settings.string(
      "email.dkim.keyFile",
      default: "",
      "PEM file of the RSA key (2048 bits) that signs mails by DKIM; empty: the mail server signs."
    )
    let otherSelector = settings.string(
      "email.dkim.otherSelector",
      default: "",
      "Name of the other DKIM key while one replaces the other."
    )
    let otherFile = settings.string(
      "email.dkim.otherKeyFile",
      default: "",
      "PEM file of the other DKIM key, which signs nothing: belfry check mail looks for its record, too."
    )
    domain = settings.string(
      "email.dkim.domain",
      default: "",
      "Domain in whose name mails are signed; empty means that of the From address."
    )
    unsignedHeaders = settings.list(
      "email.dkim.unsignedHeaders",
      default: [],
      "Headers that are left unsigned, for the mail server writes them anew; of Amazon SES they are known."
    ).map { $0.lowercased() }
    key = Self.key(selector, file, "", settings)
    otherKey = Self.key(otherSelector, otherFile, "OTHER_", settings)
    if key == nil, otherKey != nil {
      settings.problem("BELFRY_EMAIL_DKIM_OTHER_KEY_FILE is of use only beside BELFRY_EMAIL_DKIM_KEY_FILE")
    }
    if let key, key.selector.lowercased() == otherKey?.selector.lowercased() {
      settings.problem(
        "BELFRY_EMAIL_DKIM_SELECTOR and BELFRY_EMAIL_DKIM_OTHER_SELECTOR: two keys cannot have one name"
      )
    }
    if !domain.isEmpty, !MIMEAddress.isDomain(domain) {
      settings.problem("BELFRY_EMAIL_DKIM_DOMAIN: expected a domain's name such as example.com")
    }
    for name in unsignedHeaders where name == "from" || !Self.isSigned(name) {
      settings.problem(
        "BELFRY_EMAIL_DKIM_UNSIGNED_HEADERS: '\(name.prefix(64))' is no header that may be left out; these may: "
          + "\(DKIMSigner.signedHeaders.dropFirst().joined(separator: ", ")), list-…"
      )
    }
  }

  private static func key(_ selector: String, _ file: String, _ prefix: String, _ settings: Settings) -> Key? {
    if selector.isEmpty != file.isEmpty {
      settings.problem(
        "BELFRY_EMAIL_DKIM_\(prefix)SELECTOR and BELFRY_EMAIL_DKIM_\(prefix)KEY_FILE: set both or neither"
      )
    }
    guard !selector.isEmpty, !file.isEmpty else { return nil }
    if !MIMEAddress.isDomain(selector) {
      settings.problem("BELFRY_EMAIL_DKIM_\(prefix)SELECTOR: expected letters, digits and hyphens, such as belfry2026")
    }
    return Key(selector: selector, file: file, setting: "BELFRY_EMAIL_DKIM_\(prefix)KEY_FILE")
  }

  private static func isSigned(_ name: String) -> Bool {
    DKIMSigner.signedHeaders.contains(name) || name.hasPrefix("list-")
  }
}

extension DKIMConfiguration {
  /// What signs the mails that come from an address and go through a mail server; nil where that one is to sign.
  ///
  /// - Throws: `StartError` naming the key's file, never its contents.
  func signer(for sender: String, through host: String) throws(StartError) -> DKIMSigner? {
    guard let key else { return nil }
    return DKIMSigner(
      domain: domain(for: sender),
      selector: key.selector,
      key: try key.read(),
      unsigned: Set(unsignedHeaders).union(Self.rewritten(by: host))
    )
  }

  /// In whose name the mails of an address are signed.
  func domain(for sender: String) -> String {
    domain.isEmpty ? String(sender.split(separator: "@").last ?? "") : domain
  }

  /// Amazon SES gives each mail another Message-ID and Date, also at its endpoints for FIPS and within a VPC
  /// (`vpce-….email-smtp.….vpce.amazonaws.com`). Source: its manual on signing by yourself ("Manual DKIM signing").
  static func rewritten(by host: String) -> Set<String> {
    let host = host.lowercased()
    let isAmazons = [".amazonaws.com", ".amazonaws.com.cn"].contains { host.hasSuffix($0) }
    let isSES = isAmazons && host.split(separator: ".").contains { ["email-smtp", "email-smtp-fips"].contains($0) }
    return isSES ? ["message-id", "date"] : []
  }
}

extension DKIMConfiguration.Key {
  /// Whoever verifies a signature need not know longer keys (RFC 8301, section 3.2).
  private static let mostBits = 4_096

  /// - Throws: `StartError` naming the file, never its contents.
  func read() throws(StartError) -> PrivateKey {
    guard let data = FileManager.default.contents(atPath: file) else {
      throw StartError("cannot read the key for DKIM \(file) (\(setting)): see docs/email.md")
    }
    let key: PrivateKey
    do {
      key = try PrivateKey(pem: String(decoding: data, as: UTF8.self), .rsa)
    } catch {
      throw StartError("the key for DKIM \(file) (\(setting)) is no RSA key of 2048 bits in PEM: \(error)")
    }
    guard key.bits <= Self.mostBits else {
      throw StartError(
        "the key for DKIM \(file) (\(setting)) has \(key.bits) bits: mailboxes need not know more than \(Self.mostBits)"
      )
    }
    return key
  }
}

extension PrivateKey {
  /// What the domain's record has of it (RFC 6376, section 3.6.1).
  var dkimRecord: String { "v=DKIM1; k=rsa; p=\(dkimPublicText)" }

  /// SubjectPublicKeyInfo in base64, in one line.
  var dkimPublicText: String {
    publicKey.pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()
  }
}
