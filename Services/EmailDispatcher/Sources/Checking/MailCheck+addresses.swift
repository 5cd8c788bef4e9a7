import Transport

extension MailCheck {
  /// Whether the addresses that mails leave from have a name that leads back to them: Gmail refuses others (4.7.23, 5.7.25).
  func reverseNames(of outgoing: Outgoing) async -> [MailFinding] {
    if outgoing.addresses.isEmpty {
      return [
        .note(
          .ptr,
          "from which addresses \(outgoing.host) sends to the internet cannot be seen from here",
          "name them: belfry check mail --address 203.0.113.7"
        )
      ]
    }
    var findings: [MailFinding] = []
    for address in outgoing.addresses { findings.append(await reverseName(of: address, outgoing)) }
    return findings
  }

  private func reverseName(of address: IPAddress, _ outgoing: Outgoing) async -> MailFinding {
    do throws(DNSError) {
      let found = try await names.records(.ptr, of: address.reverseName).compactMap(\.name)
      for name in found.prefix(10) {
        let back = try await names.records(address.isIPv4 ? .a : .aaaa, of: name).compactMap(\.address)
        if back.contains(address) { return .good(.ptr, "\(address) is \(name), and \(name) is \(address)") }
      }
      let text =
        found.isEmpty ? "\(address) has no name (PTR)" : "\(address) is \(found[0]), which does not lead back to it"
      let remedy =
        "let whoever gives you the address publish a PTR record with the mail server's name, and that name the address"
      return outgoing.isGuess
        ? .note(
          .ptr,
          "\(text); it is \(outgoing.host)",
          "if mails leave from other addresses, name them by --address; else \(remedy)"
        )
        : .bad(.ptr, text, remedy)
    } catch {
      return .unanswered(.ptr, address.description, error)
    }
  }

  /// Whether answers and bounces have somewhere to go: many refuse mails of domains that take none.
  func mailboxes(of sender: CheckedSender) async -> [MailFinding] {
    var findings = [await mailbox(of: sender.domain)]
    if sender.envelopeDomain != sender.domain { findings.append(await mailbox(of: sender.envelopeDomain)) }
    return findings
  }

  private func mailbox(of domain: String) async -> MailFinding {
    do throws(DNSError) {
      let hosts = try await names.records(.mx, of: domain).compactMap(\.mailHost)
      let remedy = "publish an MX record for \(domain) with the server that takes its mails"
      if hosts == [""] { return .bad(.mx, "\(domain) says that it takes no mails (null MX)", remedy) }
      for host in hosts where !host.isEmpty {
        if try await hasAddress(host) { return .good(.mx, "\(domain) takes mails at \(host)") }
      }
      if let host = hosts.first { return .bad(.mx, "\(domain) takes mails at \(host), which has no address", remedy) }
      if try await hasAddress(domain) {
        return .note(.mx, "\(domain) has no MX record: mails go to the address of its name", remedy)
      }
      return .bad(.mx, "\(domain) takes no mails: it has neither an MX record nor an address", remedy)
    } catch {
      return .unanswered(.mx, domain, error)
    }
  }

  private func hasAddress(_ host: String) async throws(DNSError) -> Bool {
    let found = try await names.records(.a, of: host)
    return if found.isEmpty { try await !names.records(.aaaa, of: host).isEmpty } else { true }
  }
}
