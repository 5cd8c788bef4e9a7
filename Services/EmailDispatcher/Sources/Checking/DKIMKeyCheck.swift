import Foundation
import Transport

/// Whether a domain's record has the public half of a key (RFC 6376, section 3.6.1).
struct DKIMKeyCheck {
  let domain: String
  let selector: String
  /// Base64 of the public key that must be there; nil: any, for it is the mail server's.
  let expected: String?
  /// Whether mails are signed with it now.
  let isInUse: Bool

  private var name: String { "\(selector)._domainkey.\(domain)" }
  private var record: String { "v=DKIM1; k=rsa; p=\(expected ?? "…")" }
  private var remedy: String { "publish at \(name) the TXT record: \(record)" }

  func finding(asking names: any DNSResolving) async -> MailFinding {
    do {
      return judged(try await names.records(.txt, of: name))
    } catch {
      return .unanswered(.dkim, name, error)
    }
  }

  func judged(_ records: [DNSRecord]) -> MailFinding {
    let texts = records.compactMap(\.text)
    guard let text = texts.first else { return .bad(.dkim, "\(name) has no key", remedy) }
    guard texts.count == 1 else {
      return .bad(.dkim, "\(name) has \(texts.count) records, and receivers take any of them", "leave one record there")
    }
    guard let tags = TagList(text), tags["v"] ?? "DKIM1" == "DKIM1", let given = tags["p"] else {
      return .bad(.dkim, "\(name) has no DKIM record: \(text.prefix(100))", remedy)
    }
    let found = given.filter { !$0.isWhitespace }
    if found.isEmpty { return .bad(.dkim, "the key of \(name) is revoked (p= is empty)", remedy) }
    if let expected, found != expected { return .bad(.dkim, "\(name) has another key", remedy) }
    if let objection = objection(tags) { return .bad(.dkim, "\(name): \(objection)", remedy) }
    if let note = note(tags, key: found) { return note }
    let use = expected == nil ? "is a key of the mail server's" : isInUse ? "is the key that signs" : "is the other key"
    return .good(.dkim, "\(name) \(use)")
  }

  private func objection(_ tags: TagList) -> String? {
    func list(_ name: String) -> [String]? {
      tags[name].map { $0.split(separator: ":").map { String($0.filter { !$0.isWhitespace }) } }
    }
    if let hashes = list("h"), !hashes.contains("sha256") { return "h= does not allow sha256" }
    if let services = list("s"), !services.contains("*"), !services.contains("email") {
      return "s= does not allow email"
    }
    if expected != nil, let kind = tags["k"], kind != "rsa" { return "k=\(kind) is not rsa" }
    return nil
  }

  private func note(_ tags: TagList, key: String) -> MailFinding? {
    if let flags = tags["t"], flags.split(separator: ":").contains(where: { $0.filter { !$0.isWhitespace } == "y" }) {
      return .note(.dkim, "\(name) says t=y (testing): receivers may not count it", "leave t=y out once mails arrive")
    }
    guard expected == nil, tags["k"] ?? "rsa" == "rsa" else { return nil }
    guard let bytes = Data(base64Encoded: key) else { return .bad(.dkim, "the key of \(name) is no base64", remedy) }
    // SubjectPublicKeyInfo of RSA with 1,024 bits has 162 bytes, with 2,048 bits 294.
    if bytes.count < 160 {
      return .bad(
        .dkim,
        "the key of \(name) has less than 1024 bits: Gmail and others do not count it",
        "make one of 2048 bits"
      )
    }
    return bytes.count < 290
      ? .note(.dkim, "the key of \(name) has less than 2048 bits", "make one of 2048 bits at the next rotation") : nil
  }
}
