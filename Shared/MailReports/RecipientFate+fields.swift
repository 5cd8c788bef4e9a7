extension RecipientFate {
  /// Characters of a diagnosis.
  static let maximumDiagnostic = 1_000

  /// Nil for a block that is of no recipient.
  init?(_ fields: MailHeader) {
    guard let word = fields.text("Action")?.lowercased().prefix(while: \.isLetter),
      let action = Action(rawValue: String(word))
    else { return nil }
    self.init(
      action: action,
      status: fields.text("Status").flatMap { EnhancedStatus(leading: $0)?.text },
      finalRecipient: fields.text("Final-Recipient").flatMap(MailAddressText.typed),
      originalRecipient: fields.text("Original-Recipient").flatMap(MailAddressText.typed),
      diagnostic: fields.text("Diagnostic-Code").map { String($0.prefix(Self.maximumDiagnostic)) }
    )
  }
}

extension MailFeedback {
  init(_ fields: MailHeader) {
    self.init(
      type: (fields.text("Feedback-Type") ?? "").lowercased(),
      recipients: fields.addresses("Original-Rcpt-To")
    )
  }
}
