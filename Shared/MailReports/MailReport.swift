/// What a mail server or a mailbox provider reports of a mail that we sent: that it could not be delivered (a delivery status
/// notification, RFC 3464, 6522 and 6533), or that its reader complained (a feedback report, RFC 5965).
///
/// What is in it was written by anybody: it says what is claimed, and proves nothing.
public struct MailReport: Sendable, Equatable {
  public enum Kind: Sendable, Equatable {
    /// Fates of the recipients, in the report's order.
    case delivery([RecipientFate])
    /// A complaint, or another kind of feedback.
    case feedback(MailFeedback)
    /// A mail that reports nothing: an answer by a person or a machine.
    case other
  }

  public var kind: Kind
  /// Addresses to which the report came, or to which the mail that it is about would have been returned: one of them may say by itself
  /// whose mail it was. Without angle brackets, the most telling first.
  public var returnAddresses: [String]
  /// Of the mail that it is about, without angle brackets.
  public var messageID: String?

  public init(
    kind: Kind,
    returnAddresses: [String] = [],
    messageID: String? = nil
  ) {
    self.kind = kind
    self.returnAddresses = returnAddresses
    self.messageID = messageID
  }
}

/// What became of a mail for one recipient, by a delivery status notification.
public struct RecipientFate: Sendable, Equatable {
  public enum Action: String, Sendable {
    case failed, delayed, delivered, relayed, expanded
  }

  public var action: Action
  /// RFC 3463, e.g. `5.1.1`; nil where there is none.
  public var status: String?
  /// Where it was sent in the end.
  public var finalRecipient: String?
  /// As the sender wrote it.
  public var originalRecipient: String?
  /// The server's words, at most 1,000 characters.
  public var diagnostic: String?

  public init(
    action: Action,
    status: String? = nil,
    finalRecipient: String? = nil,
    originalRecipient: String? = nil,
    diagnostic: String? = nil
  ) {
    self.action = action
    self.status = status
    self.finalRecipient = finalRecipient
    self.originalRecipient = originalRecipient
    self.diagnostic = diagnostic
  }
}

/// A feedback report.
public struct MailFeedback: Sendable, Equatable {
  /// In small letters, e.g. `abuse`, `fraud`, `not-spam`.
  public var type: String
  /// Whom the mail was to; often cut.
  public var recipients: [String]

  public init(type: String, recipients: [String] = []) {
    self.type = type
    self.recipients = recipients
  }

  /// Whether its reader wants no more of it. What was marked as no spam is the contrary, and the other types are about what a mail carries.
  public var isComplaint: Bool { type == "abuse" }
}

/// Why something cannot be read as a mail.
public enum MailReportError: Error, Equatable, CustomStringConvertible {
  case tooLarge(limit: Int)
  case tooDeep(limit: Int)
  case tooManyParts(limit: Int)
  case tooManyHeaders(limit: Int)
  /// It begins with no header.
  case noMail

  public var description: String {
    switch self {
    case .tooLarge(let limit): "the mail has more than \(limit) bytes"
    case .tooDeep(let limit): "the mail has parts within parts more than \(limit) deep"
    case .tooManyParts(let limit): "the mail has more than \(limit) parts"
    case .tooManyHeaders(let limit): "the mail has more than \(limit) header fields in one part"
    case .noMail: "it is no mail: it begins with no header field"
    }
  }
}
