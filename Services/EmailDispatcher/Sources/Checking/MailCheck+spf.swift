import Transport

extension MailCheck {
  /// An address of nobody (RFC 5737): what a record says of it, it says of everybody.
  private static let nobody = IPAddress(bytes: [192, 0, 2, 1])

  /// Whether the record can be read, keeps strangers out, and lets the mail server's addresses in.
  func spf(of sender: CheckedSender, from outgoing: Outgoing) async -> [MailFinding] {
    let domain = sender.envelopeDomain
    var findings: [MailFinding] = []
    if let nobody = Self.nobody {
      var evaluation = SPFEvaluation(of: nobody, asking: names)
      do throws(SPFEvaluation.Failure) {
        let outcome = try await evaluation.outcome(of: domain)
        findings.append(Self.ofStrangers(outcome, domain))
        if outcome == .absent { return findings }
      } catch {
        findings.append(Self.finding(error, domain))
        guard case .unknown = error else { return findings }
      }
    }
    if outgoing.addresses.isEmpty {
      return findings + [
        .note(
          .spf,
          "from which addresses \(outgoing.host) sends to the internet cannot be seen from here",
          "name them: belfry check mail --address 203.0.113.7"
        )
      ]
    }
    for address in outgoing.addresses { findings.append(await allowance(of: address, outgoing, domain)) }
    return findings
  }

  private func allowance(of address: IPAddress, _ outgoing: Outgoing, _ domain: String) async -> MailFinding {
    var evaluation = SPFEvaluation(of: address, asking: names)
    let outcome: SPFEvaluation.Outcome
    do throws(SPFEvaluation.Failure) {
      outcome = try await evaluation.outcome(of: domain)
    } catch {
      return Self.finding(error, domain)
    }
    if outcome == .pass { return .good(.spf, "\(domain) lets \(address) send") }
    if outgoing.isGuess {
      return .note(
        .spf,
        "\(domain) does not let \(address) send, which is \(outgoing.host)",
        "if mails leave from other addresses, name them by --address; else add it to the SPF record"
      )
    }
    let term = address.isIPv4 ? "ip4:\(address)" : "ip6:\(address)"
    return .bad(
      .spf,
      "\(domain) does not let \(address) send",
      "add \(term), or what your provider names, to the SPF record"
    )
  }

  private static func ofStrangers(_ outcome: SPFEvaluation.Outcome, _ domain: String) -> MailFinding {
    switch outcome {
    case .absent:
      .bad(
        .spf,
        "\(domain) has no SPF record",
        "publish at \(domain) a TXT record with what your provider names, such as v=spf1 include:spf.example.net ~all"
      )
    case .pass: .bad(.spf, "\(domain) lets every address send", "let the SPF record end in ~all or -all")
    case .neutral: .note(.spf, "\(domain) says nothing of strange addresses", "let the SPF record end in ~all or -all")
    case .fail, .softFail: .good(.spf, "\(domain) has one SPF record, which does not let strange addresses send")
    }
  }

  private static func finding(_ failure: SPFEvaluation.Failure, _ domain: String) -> MailFinding {
    switch failure {
    case .permanent(let reason): .bad(.spf, reason, "mend the SPF record of \(domain): receivers do not count it")
    case .temporary(let error): .unanswered(.spf, domain, error)
    case .unknown: .note(.spf, "\(domain): \(failure)", "ask your provider whether its record names your addresses")
    }
  }
}
