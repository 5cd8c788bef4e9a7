public import Logging
import NetworkAddresses
import NotificationModel
import Transport

/// Asks a mail server about a sender: what the check needs of ``SMTPClient``.
protocol SenderProbe: Sendable {
  func probe(_ sender: String) async throws(TransportError) -> SMTPReply
  func close() async
}

extension SMTPClient: SenderProbe {}

/// Finds out whether providers would trust the mails that an email dispatcher sends. No mail is sent.
public struct MailCheck: Sendable {
  let names: any DNSResolving
  /// Those from which the mail server sends, as the operator knows them; empty: not known.
  let addresses: [IPAddress]
  /// With which the mail server signs.
  let serverKeys: [ServerKeyName]
  /// Opens no connection before it is used.
  var server: @Sendable (SMTPConfiguration, Logger) -> any SenderProbe = {
    SMTPClient(configuration: $0, logger: $1)
  }

  /// Asks for the page of a link.
  var fetch: @Sendable (String, Logger) async throws(TransportError) -> Page = MailCheck.fetchPage

  /// All that is configured, the mail server first; what two streams have in common once.
  public func findings(for configuration: EmailConfiguration, logger: Logger) async -> [MailFinding] {
    var findings: [MailFinding] = []
    for sender in configuration.checkedSenders {
      var found = [await mailServer(of: sender, logger: logger), name(configuration)]
      let outgoing = await outgoingAddresses(of: sender)
      let senderPolicy = await spf(of: sender, from: outgoing)
      found += senderPolicy
      found += await dkim(of: sender)
      let search = await dmarc(of: sender)
      found += search.findings
      found.append(await alignment(of: sender, search.result, passesSPF: !senderPolicy.contains { $0.verdict == .bad }))
      found += await reverseNames(of: outgoing)
      found += await mailboxes(of: sender)
      for finding in found where !findings.contains(finding) { findings.append(finding) }
    }
    findings.append(await unsubscribe(configuration, logger))
    return findings
  }

  private func mailServer(of sender: CheckedSender, logger: Logger) async -> MailFinding {
    let server = sender.server
    let place = "\(server.host):\(server.port)"
    let probe = self.server(server, logger)
    let reply: SMTPReply
    do throws(TransportError) {
      reply = try await probe.probe(sender.envelope)
    } catch {
      await probe.close()
      return .bad(.server, "\(place): \(error)", Self.remedy(error))
    }
    await probe.close()
    guard reply.accepted else {
      return .bad(
        .server,
        "\(place) refuses the sender \(sender.envelope): \(reply.code) \(reply.text.prefix(200))",
        "allow this sender at the mail server, or change BELFRY_EMAIL_FROM"
      )
    }
    let login = server.username == nil ? "" : "the login and "
    guard server.security == .none else {
      return .good(.server, "\(place) takes \(login)the sender \(sender.envelope), over TLS with a valid certificate")
    }
    guard PublicHost.isPublic(server.host) else {
      return .good(.server, "\(place) takes \(login)the sender \(sender.envelope), without TLS in your own network")
    }
    return .bad(
      .server,
      "\(place) gets mails and passwords unencrypted over the internet",
      "set BELFRY_EMAIL_SECURITY to startTLS or tls"
    )
  }

  private static func remedy(_ error: TransportError) -> String {
    switch error.code {
    case .authenticationFailed: "check BELFRY_EMAIL_USERNAME and BELFRY_EMAIL_PASSWORD"
    case .tls: "check BELFRY_EMAIL_HOST against the server's certificate, or name its authority by BELFRY_EMAIL_CA_FILE"
    case .cannotConnect: "check BELFRY_EMAIL_HOST, BELFRY_EMAIL_PORT and BELFRY_EMAIL_SECURITY, and firewalls"
    default: "check BELFRY_EMAIL_HOST, BELFRY_EMAIL_PORT and BELFRY_EMAIL_SECURITY"
    }
  }

  private func name(_ configuration: EmailConfiguration) -> MailFinding {
    let name = configuration.messageIDDomain
    return name.contains(".")
      ? .good(.name, "\(name) stands in EHLO and in Message-IDs")
      : .note(.name, "\(name) stands in EHLO and in Message-IDs", "set BELFRY_EMAIL_DOMAIN to a domain of yours")
  }

  // MARK: Addresses

  /// From which addresses mails leave, and whether that is known or guessed.
  struct Outgoing: Equatable {
    var addresses: [IPAddress]
    var isGuess: Bool
    var host: String
  }

  /// Where the operator named none: those of the mail server, if they are in the internet.
  private func outgoingAddresses(of sender: CheckedSender) async -> Outgoing {
    let host = sender.server.host
    guard addresses.isEmpty else { return Outgoing(addresses: addresses, isGuess: false, host: host) }
    if let address = IPAddress(host) {
      return Outgoing(addresses: [address].filter { PublicAddress.isPublic($0.bytes) }, isGuess: true, host: host)
    }
    var found: [IPAddress] = []
    for question in [DNSQuestion.a, .aaaa] {
      found += ((try? await names.records(question, of: host)) ?? []).compactMap(\.address)
    }
    return Outgoing(addresses: found.filter { PublicAddress.isPublic($0.bytes) }, isGuess: true, host: host)
  }
}
