import NotificationModel
public import NotificationQueue
public import ServiceRuntime
public import Settings
public import Transport

/// What the email dispatcher reads from its environment.
public struct EmailConfiguration: ServiceConfiguration {
  public var parts: PartsConfiguration
  public var ladder: RetryLadder
  /// Dispatch messages in flight at once.
  public var prefetch: Int
  public var smtp: SMTPConfiguration
  public var sender: MIMEAddress
  /// The part of a Message-ID after the @.
  public var messageIDDomain: String
  public var maximumAttempts: Int
  /// An operator's catalogue file (YAML), which wins over the versions in the database; empty means none.
  public var catalogueFile: String

  private enum Security: String, CaseIterable {
    case none, startTLS, tls
  }

  public init(_ settings: Settings) {
    parts = PartsConfiguration(settings)
    ladder = RetryLadder(settings)
    catalogueFile = settings.string(
      "catalogue.file",
      default: "",
      "YAML file of notification types and events that adds to or replaces the built-in ones, or stands alone; it wins over the versions in the database."
    )
    prefetch = settings.integer(
      "email.prefetch",
      default: 16,
      in: 1...10_000,
      "Dispatch messages (of up to 100 mails) in flight at once."
    )
    let host = settings.string("email.host", default: nil, "Mail server that accepts the mails (smarthost).")
    let port = settings.integer("email.port", default: 587, in: 1...65_535, "Port of the mail server.")
    let security = settings.choice(
      "email.security",
      default: Security.startTLS,
      "How the connection is encrypted; with startTLS a server that does not offer it is refused."
    )
    let username = settings.string(
      "email.username",
      default: "",
      "User at the mail server; empty means no authentication."
    )
    let password = settings.optionalString("email.password", "Password at the mail server.", isSecret: true)
    let caFile = settings.string(
      "email.caFile",
      default: "",
      "PEM file of the mail server's certificate authority; empty means the system's."
    )
    smtp = SMTPConfiguration(host: host, port: port, security: Self.security(security))
    smtp.username = username.isEmpty ? nil : username
    smtp.password = password
    smtp.caFile = caFile.isEmpty ? nil : caFile
    smtp.maximumConnections = settings.integer(
      "email.connections",
      default: 4,
      in: 1...64,
      "Connections to the mail server."
    )
    smtp.timeout = settings.duration(
      "email.timeout",
      default: .seconds(20),
      in: .seconds(1) ... .seconds(300),
      "How long sending may take until the mail server has answered DATA (the content follows then); shorter than "
        + "BELFRY_SERVICE_SHUTDOWN_DEADLINE."
    )
    settings.require(
      "email.timeout",
      shorterThan: "service.shutdownDeadline",
      "a mail in flight at a shutdown could not end, and would be sent again."
    )
    smtp.contentTimeout = settings.duration(
      "email.contentTimeout",
      default: .seconds(600),
      // RabbitMQ wants each message back within 30 min, with time to spare for what is begun.
      in: .seconds(1) ... .seconds(900),
      "How long the mail server may take to answer after it got the content. With a shorter time Belfry gives up on "
        + "accepted mails and sends them twice: keep the 10 min."
    )
    let domain = settings.string(
      "email.domain",
      default: "localhost",
      "Name of this system in EHLO and in Message-IDs."
    )
    if !MIMEAddress.isDomain(domain) {
      settings.problem("BELFRY_EMAIL_DOMAIN: expected a domain's name such as mail.example.com")
    }
    smtp.clientName = domain
    messageIDDomain = domain
    let address = settings.string("email.from", default: nil, "Address that mails come from.")
    // Whatever is wrong with the sender would spoil every single mail.
    if !address.isEmpty, !MIMEAddress.isAddress(address) {
      settings.problem(
        "BELFRY_EMAIL_FROM: expected an address such as news@example.com; a name goes to BELFRY_EMAIL_FROM_NAME"
      )
    }
    let name = settings.string("email.fromName", default: "Belfry", "Name that mails come from.")
    if name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
      settings.problem("BELFRY_EMAIL_FROM_NAME: expected a name without line breaks")
    }
    sender = MIMEAddress(name: name, address: address)
    maximumAttempts = settings.integer(
      "email.maximumAttempts",
      default: 10,
      in: 1...20,
      "Failures after which a mail is dead-lettered."
    )
  }

  private static func security(_ security: Security) -> SMTPSecurity {
    switch security {
    case .none: .none
    case .startTLS: .startTLS
    case .tls: .tls
    }
  }
}
