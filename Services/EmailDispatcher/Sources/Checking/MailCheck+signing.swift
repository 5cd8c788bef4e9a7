import Transport

extension MailCheck {
  /// The keys with which Belfry signs, and those with which the mail server does.
  func dkim(of sender: CheckedSender) async -> [MailFinding] {
    var findings = sender.problems.map { MailFinding.bad(.dkim, $0, "see docs/email.md for how to make a key") }
    var keys = sender.keys
    keys += serverKeys.map {
      DKIMKeyCheck(domain: $0.domain ?? sender.domain, selector: $0.selector, expected: nil, isInUse: true)
    }
    for key in keys { findings.append(await key.finding(asking: names)) }
    if findings.isEmpty {
      findings.append(
        .note(
          .dkim,
          "Belfry does not sign, so the mail server must, as \(sender.domain)",
          "name the server's selector: belfry check mail --selector s1; or let Belfry sign: BELFRY_EMAIL_DKIM_KEY_FILE"
        )
      )
    }
    return findings
  }

  func dmarc(of sender: CheckedSender) async -> (result: DMARCSearch.Result?, findings: [MailFinding]) {
    let domain = sender.domain
    let result: DMARCSearch.Result
    do throws(DMARCSearch.Failure) {
      result = try await DMARCSearch(names: names).result(for: domain)
    } catch {
      return (nil, [Self.finding(error)])
    }
    guard let record = result.record else {
      let remedy = "publish at _dmarc.\(domain) the TXT record v=DMARC1; p=none; rua=mailto:dmarc@\(domain)"
      return (result, [.bad(.dmarc, "\(domain) has no DMARC record", remedy)])
    }
    let policy = result.place == domain ? record.policy : record.subdomainPolicy
    let text = "_dmarc.\(result.place) asks receivers for '\(policy.rawValue)'"
    var findings = [
      policy == .nothing
        ? MailFinding.note(.dmarc, text, "once the reports show that your own mails pass, ask for p=quarantine")
        : .good(.dmarc, text)
    ]
    if !record.hasReports {
      findings.append(
        .note(.dmarc, "_dmarc.\(result.place) names nobody who gets reports", "add rua=mailto:… to the record")
      )
    }
    return (result, findings)
  }

  private static func finding(_ failure: DMARCSearch.Failure) -> MailFinding {
    switch failure {
    case .dns(let error): .unanswered(.dmarc, "the DMARC record", error)
    case .several(let domain, let count):
      .bad(.dmarc, "_dmarc.\(domain) has \(count) DMARC records: receivers count none", "leave one record there")
    case .broken(let domain, let text):
      .bad(
        .dmarc,
        "_dmarc.\(domain) has a record that is none: \(text.prefix(100))",
        "publish v=DMARC1; p=none; rua=mailto:…, with v first and each tag once"
      )
    }
  }

  /// Whether SPF or DKIM speaks for the domain that readers see: DMARC counts nothing else (RFC 7489, section 3.1).
  ///
  /// - Parameter passesSPF: Whether nothing was found that keeps it from counting.
  func alignment(
    of sender: CheckedSender,
    _ dmarc: DMARCSearch.Result?,
    passesSPF: Bool = true
  ) async -> MailFinding {
    let domain = sender.domain
    let byEnvelope = await agree(
      domain,
      sender.envelopeDomain,
      dmarc,
      isStrict: dmarc?.record?.isStrictAboutSPF == true
    )
    var signing = sender.keys.contains(where: \.isInUse) ? [sender.signingDomain] : []
    for key in serverKeys where !signing.contains(key.domain ?? domain) { signing.append(key.domain ?? domain) }
    let signs = !signing.isEmpty
    let isStrict = dmarc?.record?.isStrictAboutDKIM == true
    var byKey = false
    for name in signing where !byKey { byKey = await agree(domain, name, dmarc, isStrict: isStrict) }
    let signers = signing.joined(separator: ", ")
    guard passesSPF else { return Self.withoutSPF(domain, signers, speaks: byKey) }
    switch (byEnvelope, byKey) {
    case (true, true): return .good(.alignment, "SPF and DKIM both speak for \(domain)")
    case (true, false) where !signs:
      return .good(.alignment, "SPF speaks for \(domain); the mail server's signature must say d=\(domain)")
    case (true, false):
      return .note(
        .alignment,
        "DKIM speaks for \(signers), and SPF alone for \(domain): forwarded mails lose it",
        "let BELFRY_EMAIL_DKIM_DOMAIN, or the domain with which the mail server signs, be \(domain)"
      )
    case (false, true):
      return .note(
        .alignment,
        "SPF speaks for \(sender.envelopeDomain), and DKIM alone for \(domain)",
        "let bounces go to \(domain) or to a domain below it, so that both count"
      )
    case (false, false) where !signs:
      return .note(
        .alignment,
        "SPF speaks for \(sender.envelopeDomain) alone: the mail server's signature must say d=\(domain)",
        "let bounces go to \(domain) or to a domain below it, so that both count"
      )
    case (false, false):
      return .bad(
        .alignment,
        "neither SPF (\(sender.envelopeDomain)) nor DKIM (\(signers)) speaks for \(domain)",
        "sign as \(domain), or let bounces go to \(domain)"
      )
    }
  }

  /// Whether DKIM does alone, for SPF does not count.
  ///
  /// - Parameter signers: Domains; empty: the mail server signs, and nobody has said as whom.
  private static func withoutSPF(_ domain: String, _ signers: String, speaks byKey: Bool) -> MailFinding {
    if byKey {
      return .note(.alignment, "DKIM alone speaks for \(domain): SPF is not known to pass", "mend what spf says above")
    }
    if signers.isEmpty {
      return .note(
        .alignment,
        "SPF is not known to pass: the mail server's signature must say d=\(domain)",
        "mend what spf says above, and name the server's selector by --selector"
      )
    }
    return .bad(
      .alignment,
      "neither SPF, which is not known to pass, nor DKIM (\(signers)) speaks for \(domain)",
      "mend what spf says above, or sign as \(domain)"
    )
  }

  /// The same domain, or of the same organization where that is enough.
  private func agree(
    _ domain: String,
    _ other: String,
    _ dmarc: DMARCSearch.Result?,
    isStrict: Bool
  ) async -> Bool {
    let other = other.lowercased()
    if domain == other { return true }
    if isStrict { return false }
    if other.hasSuffix(".\(domain)") || domain.hasSuffix(".\(other)") { return true }
    guard let dmarc, dmarc.record != nil else { return false }
    let found = try? await DMARCSearch(names: names).result(for: other)
    return found?.record != nil && found?.organization == dmarc.organization
  }
}
