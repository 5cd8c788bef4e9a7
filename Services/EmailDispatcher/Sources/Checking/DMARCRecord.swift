/// What a domain asks receivers to do with mails that fail, and how strictly domains must agree (RFC 7489, section 6.3).
struct DMARCRecord: Equatable {
  enum Policy: String {
    case nothing = "none"
    case quarantine, reject
  }

  var policy: Policy
  /// Of the domains below.
  var subdomainPolicy: Policy
  var isStrictAboutDKIM: Bool
  var isStrictAboutSPF: Bool
  /// Whether somebody gets reports (`rua`).
  var hasReports: Bool
  /// `psd`: `y` where the domain is one under which others register, `n` where it is an organization's.
  var publicSuffix: String?

  /// Whether a text claims to be one.
  static func isMeant(_ text: String) -> Bool {
    text.lowercased().filter { !$0.isWhitespace }.hasPrefix("v=dmarc1")
  }

  /// Nil where the text is none.
  init?(_ text: String) {
    guard let tags = TagList(text), tags.first == "v", tags["v"] == "DMARC1" else { return nil }
    hasReports = tags["rua"]?.isEmpty == false
    // Without a policy, but with somebody to report to, it is read as p=none.
    guard let policy = tags["p"].map({ Policy(rawValue: $0.lowercased()) }) ?? (hasReports ? Policy.nothing : nil)
    else {
      return nil
    }
    self.policy = policy
    subdomainPolicy = tags["sp"].flatMap { Policy(rawValue: $0.lowercased()) } ?? policy
    isStrictAboutDKIM = tags["adkim"]?.lowercased() == "s"
    isStrictAboutSPF = tags["aspf"]?.lowercased() == "s"
    publicSuffix = tags["psd"]?.lowercased()
  }
}
