/// What `belfry check mail` found: one line for the operator, and what to do.
public struct MailFinding: Sendable, Equatable {
  /// What was looked at, in the order of the checklist in docs/email-going-live.md.
  public enum Subject: String, Sendable, CaseIterable {
    case server, name, spf, dkim, dmarc, alignment, ptr, mx, unsubscribe
  }

  public enum Verdict: Sendable {
    case good
    /// Nothing that must stop anybody, or nothing that can be seen from here.
    case note
    case bad
  }

  public let subject: Subject
  public let verdict: Verdict
  /// Never holds a secret.
  public let text: String
  /// What to do; nil where all is well.
  public let advice: String?

  static func good(_ subject: Subject, _ text: String) -> MailFinding {
    MailFinding(subject: subject, verdict: .good, text: text, advice: nil)
  }

  static func note(_ subject: Subject, _ text: String, _ advice: String) -> MailFinding {
    MailFinding(subject: subject, verdict: .note, text: text, advice: advice)
  }

  static func bad(_ subject: Subject, _ text: String, _ advice: String) -> MailFinding {
    MailFinding(subject: subject, verdict: .bad, text: text, advice: advice)
  }

  /// The domain's records could not be asked for: that says nothing of them, and nothing good.
  static func unanswered(_ subject: Subject, _ name: String, _ error: some Error) -> MailFinding {
    .bad(subject, "\(name): \(error)", "ask again, or another name server by --resolver")
  }
}
