public import NotificationModel
public import NotificationQueue
public import ServiceRuntime
public import Settings
public import Transport

/// What the email dispatcher reads from its environment.
public struct EmailConfiguration: ServiceConfiguration {
  public var parts: PartsConfiguration
  public var ladder: RetryLadder
  /// Dispatch messages of a stream in flight at once, beside those that wait for a slow answer.
  public var prefetch: Int
  public var smtp: SMTPConfiguration
  public var sender: MIMEAddress
  /// The part of a Message-ID after the @.
  public var messageIDDomain: String
  public var maximumAttempts: Int
  /// An operator's catalogue file (YAML), which wins over the versions in the database; empty means none.
  public var catalogueFile: String
  /// The envelope's sender; nil: the sender's address.
  public var returnPath: String?
  /// What signs return paths; none: each stream's is as it is.
  public var returnPathSecrets: [String]
  /// Names the deployment in `Feedback-ID`; nil: mails have none.
  public var feedbackSender: String?
  /// Of mails of the stream `bulk`, in what it has otherwise.
  public var bulk: MailStreamConfiguration
  /// By which links to unsubscribe are signed.
  public var unsubscribe: UnsubscribeKeys
  /// Where these links lead.
  public var publicURL: PublicURL
  public var dkim: DKIMConfiguration
  /// Mails a minute to a mail server, of all dispatchers together; 0: as many as it takes.
  public var quotaPerMinute: Int
  /// The same of a stream to each domain of recipients.
  public var domainQuotaPerMinute: Int
  /// How long after a stop began the mail server's answers are waited for: what is left is for recording.
  public var answersUntil: Duration

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
      "Dispatch messages (of up to 100 mails) of a stream in flight at once. Up to 64 more wait for slow answers."
    )
    let host = settings.string("email.host", default: nil, "Mail server that accepts the mails (smarthost).")
    let port = settings.integer("email.port", default: 587, in: 1...65_535, "Port of the mail server.")
    let security = settings.choice(
      "email.security",
      default: MailSecurity.startTLS,
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
    smtp = SMTPConfiguration(host: host, port: port, security: security.smtp)
    smtp.username = username.isEmpty ? nil : username
    smtp.password = password
    smtp.caFile = caFile.isEmpty ? nil : caFile
    smtp.maximumConnections = settings.integer(
      "email.connections",
      default: 4,
      in: 1...64,
      "Connections to the mail server, for all recipients and both streams together. Up to 64 more wait for answers that take long."
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
    returnPath = settings.mailAddress(
      "email.returnPath",
      "Address that undeliverable mails are returned to (envelope sender); unless set, BELFRY_EMAIL_FROM. With "
        + "BELFRY_EMAIL_RETURN_PATH_KEYS each mail has one of its own, `bounces+…@bounces.example.com`, and at most 7 characters are allowed before the @."
    )
    returnPathSecrets = ReturnPath.secrets(settings)
    feedbackSender = settings.optionalString(
      "email.feedbackSender",
      "Your name of 5 to 15 letters, digits, '.', '_' and '-' at the end of `Feedback-ID`, by which Gmail counts complaints; unless "
        + "set, mails have no `Feedback-ID`."
    )
    if let feedbackSender, !FeedbackID.isSender(feedbackSender) {
      settings.problem("BELFRY_EMAIL_FEEDBACK_SENDER: expected 5 to 15 letters, digits, '.', '_' and '-'")
    }
    let transactional = MailStreamConfiguration(smtp: smtp, sender: sender, returnPath: returnPath)
    bulk = MailStreamConfiguration(bulk: settings, like: transactional, security: security)
    unsubscribe = UnsubscribeKeys(settings)
    publicURL = PublicURL(settings)
    dkim = DKIMConfiguration(settings)
    quotaPerMinute = settings.integer(
      "email.quotaPerMinute",
      default: 0,
      in: 0...10_000_000,
      "Mails a minute that each mail server takes, shared by all email dispatchers; 0: no limit of ours."
    )
    domainQuotaPerMinute = settings.integer(
      "email.domainQuotaPerMinute",
      default: 0,
      in: 0...10_000_000,
      "Mails a minute of each stream to each domain of recipients, shared by all email dispatchers; 0: no limit of ours."
    )
    let deadline = settings.span("service.shutdownDeadline") ?? .seconds(25)
    answersUntil = deadline - min(.seconds(5), deadline / 4)
    // Of both servers together.
    if !bulk.smtp.isSameServer(as: smtp) {
      smtp.maximumAside /= 2
      bulk.smtp.maximumAside = smtp.maximumAside
    }
    // Who has the keys believes signed addresses alone: without any, all bounces would be taken for forged.
    if !returnPathSecrets.isEmpty, returnPath == nil {
      settings.problem(
        "BELFRY_EMAIL_RETURN_PATH: expected an address, for BELFRY_EMAIL_RETURN_PATH_KEYS is set: gateways with these keys believe no other bounce"
      )
    }
    for (key, path) in [("RETURN_PATH", returnPath), ("BULK_RETURN_PATH", bulk.returnPath)] {
      guard !returnPathSecrets.isEmpty, let path, ReturnPath(path, secrets: returnPathSecrets) == nil else { continue }
      settings.problem(
        "BELFRY_EMAIL_\(key): with BELFRY_EMAIL_RETURN_PATH_KEYS, expected at most \(ReturnPath.maximumName) characters and no + before the @"
      )
    }
  }

  /// Where each mail of a stream returns to an address of its own.
  func signedReturnPath(_ stream: MailStream) -> ReturnPath {
    guard !returnPathSecrets.isEmpty, let path = self.stream(stream).returnPath else { return .none }
    return ReturnPath(path, secrets: returnPathSecrets) ?? .none
  }

  /// What the broker hands out of a stream at once: a message whose mail waits for a slow answer is not settled, and holds none up.
  func messagesInFlight(_ stream: MailStream) -> Int { prefetch + self.stream(stream).smtp.maximumAside }

  /// What a stream has.
  func stream(_ stream: MailStream) -> MailStreamConfiguration {
    switch stream {
    case .transactional: MailStreamConfiguration(smtp: smtp, sender: sender, returnPath: returnPath)
    case .bulk: bulk
    }
  }
}
