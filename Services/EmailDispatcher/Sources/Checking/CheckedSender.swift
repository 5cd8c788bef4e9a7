import NotificationModel
import Settings
import Transport

/// An address that mails come from, with what stands behind it.
struct CheckedSender {
  /// What readers see.
  let from: String
  /// Takes the bounces; SPF is about its domain.
  let envelope: String
  let server: SMTPConfiguration
  /// In whose name Belfry signs.
  let signingDomain: String
  let keys: [DKIMKeyCheck]
  /// Keys that cannot be read.
  let problems: [String]

  var domain: String { Self.domain(of: from) }
  var envelopeDomain: String { Self.domain(of: envelope) }

  init(from: String, envelope: String, server: SMTPConfiguration, dkim: DKIMConfiguration) {
    self.from = from
    self.envelope = envelope
    self.server = server
    let domain = dkim.domain(for: from)
    signingDomain = domain
    var keys: [DKIMKeyCheck] = []
    var problems: [String] = []
    for (key, isInUse) in [(dkim.key, true), (dkim.otherKey, false)] {
      guard let key else { continue }
      do throws(StartError) {
        let expected = try key.read().dkimPublicText
        keys.append(DKIMKeyCheck(domain: domain, selector: key.selector, expected: expected, isInUse: isInUse))
      } catch {
        problems.append(error.description)
      }
    }
    self.keys = keys
    self.problems = problems
  }

  static func domain(of address: String) -> String {
    String(address.split(separator: "@").last ?? "").lowercased()
  }
}

extension EmailConfiguration {
  /// One for each stream of mails; a bulk stream that has nothing of its own is the other's.
  var checkedSenders: [CheckedSender] {
    let transactional = checkedSender(.transactional)
    let bulk = checkedSender(.bulk)
    let isSame =
      bulk.from == transactional.from && bulk.envelope == transactional.envelope
      && bulk.server.isSameServer(as: transactional.server)
    return isSame ? [transactional] : [transactional, bulk]
  }

  private func checkedSender(_ stream: MailStream) -> CheckedSender {
    let own = self.stream(stream)
    return CheckedSender(
      from: own.sender.address,
      envelope: own.returnPath ?? own.sender.address,
      server: own.smtp,
      dkim: dkim
    )
  }
}
