import Settings
public import Transport

/// Through what the mails of one stream go, and whom they come from.
public struct MailStreamConfiguration: Sendable {
  /// Its connections are those that the stream may use at once.
  public var smtp: SMTPConfiguration
  public var sender: MIMEAddress
  /// The envelope's sender; nil: the sender's address.
  public var returnPath: String?
}

extension MailStreamConfiguration {
  /// The bulk stream's: whatever is not set is that of the transactional one.
  ///
  /// User and password are for the server that they are set for: another one does not get them.
  init(bulk settings: Settings, like other: MailStreamConfiguration, security: MailSecurity) {
    self = other
    let host = settings.optionalString(
      "email.bulk.host",
      "Mail server that accepts the mails of the stream `bulk`; unless set, BELFRY_EMAIL_HOST."
    )
    smtp.host = host ?? other.smtp.host
    smtp.port = settings.integer(
      "email.bulk.port",
      default: other.smtp.port,
      in: 1...65_535,
      "Port of that mail server; unless set, BELFRY_EMAIL_PORT."
    )
    smtp.security =
      settings.choice(
        "email.bulk.security",
        default: security,
        "How the connection to it is encrypted; unless set, BELFRY_EMAIL_SECURITY."
      ).smtp
    let isSameHost = smtp.host == other.smtp.host
    smtp.username =
      settings.optionalString(
        "email.bulk.username",
        "User at that mail server; unless set, BELFRY_EMAIL_USERNAME, but none where BELFRY_EMAIL_BULK_HOST is another server."
      ) ?? (isSameHost ? other.smtp.username : nil)
    smtp.password =
      settings.optionalString(
        "email.bulk.password",
        "Password at that mail server; unless set, BELFRY_EMAIL_PASSWORD, but none where BELFRY_EMAIL_BULK_HOST is another server.",
        isSecret: true
      ) ?? (isSameHost ? other.smtp.password : nil)
    smtp.caFile =
      settings.optionalString(
        "email.bulk.caFile",
        "PEM file of its certificate authority; unless set, BELFRY_EMAIL_CA_FILE."
      ) ?? other.smtp.caFile
    let connections = settings.integer(
      "email.bulk.connections",
      default: max(1, other.smtp.maximumConnections / 2),
      in: 1...64,
      "How many of BELFRY_EMAIL_CONNECTIONS bulk mails may use at once; unless set, half of them. The rest is kept for "
        + "transactional mails. More than there are is all of them."
    )
    smtp.maximumConnections = min(connections, other.smtp.maximumConnections)
    sender.address =
      settings.mailAddress("email.bulk.from", "Address that bulk mails come from; unless set, BELFRY_EMAIL_FROM.")
      ?? other.sender.address
    sender.name =
      settings.mailName("email.bulk.fromName", "Name that bulk mails come from; unless set, BELFRY_EMAIL_FROM_NAME.")
      ?? other.sender.name
    returnPath =
      settings.mailAddress(
        "email.bulk.returnPath",
        "Address that undeliverable bulk mails are returned to; unless set, BELFRY_EMAIL_RETURN_PATH."
      ) ?? other.returnPath
  }
}

/// How a connection to a mail server is encrypted, as settings name it.
enum MailSecurity: String, CaseIterable {
  case none, startTLS, tls

  var smtp: SMTPSecurity {
    switch self {
    case .none: .none
    case .startTLS: .startTLS
    case .tls: .tls
    }
  }
}

extension SMTPConfiguration {
  /// Whether mails can go over the same connections.
  func isSameServer(as other: SMTPConfiguration) -> Bool {
    host == other.host && port == other.port && security == other.security && username == other.username
      && password == other.password && caFile == other.caFile
  }
}

extension Settings {
  /// An address to write mails from or return them to, or none. What is wrong with it would spoil every single mail.
  func mailAddress(_ key: String, _ summary: String) -> String? {
    guard let address = optionalString(key, summary) else { return nil }
    if !MIMEAddress.isAddress(address) {
      problem("\(Self.variable(key)): expected an address such as news@example.com")
    }
    return address
  }

  /// A name to write mails from, or none.
  func mailName(_ key: String, _ summary: String) -> String? {
    guard let name = optionalString(key, summary) else { return nil }
    if name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
      problem("\(Self.variable(key)): expected a name without line breaks")
    }
    return name
  }
}
