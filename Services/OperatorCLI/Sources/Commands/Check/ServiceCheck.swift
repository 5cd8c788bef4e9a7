public import Logging
public import Settings
import Synchronization

/// What a service can say of its own settings before it starts. The program hands it in, for the commands know no service.
public enum ServiceCheck {
  /// A line for the operator.
  public struct Finding: Sendable {
    /// What it is about, e.g. a provider's name.
    let subject: String
    let isGood: Bool
    let text: String

    public init(subject: String, isGood: Bool, text: String) {
      self.subject = subject
      self.isGood = isGood
      self.text = text
    }
  }

  /// Reads the service's settings, whose problems stay with them, and answers what then finds out the rest.
  public typealias Reading = @Sendable (Settings) -> @Sendable (Logger) async -> [Finding]

  /// A line about mail: it may be nothing that fails, and says what to do.
  public struct MailFinding: Sendable {
    public enum Verdict: String, Sendable {
      case good = "ok"
      case note
      case bad = "FAILED"
    }

    /// What was looked at, e.g. `spf`.
    let subject: String
    let verdict: Verdict
    let text: String
    let advice: String?

    public init(subject: String, verdict: Verdict, text: String, advice: String?) {
      self.subject = subject
      self.verdict = verdict
      self.text = text
      self.advice = advice
    }
  }

  /// What an operator says of the mail server beside the settings.
  public struct MailOptions: Sendable {
    public let addresses: [String]
    public let selectors: [String]
    public let resolver: String?
  }

  /// As ``Reading``, of the email dispatcher.
  public typealias MailReading = @Sendable (Settings, MailOptions) -> @Sendable (Logger) async -> [MailFinding]

  private static let installedPush = Mutex<Reading?>(nil)
  private static let installedMail = Mutex<MailReading?>(nil)

  /// Of the push dispatcher; nil if the program has none.
  static var push: Reading? { installedPush.withLock(\.self) }

  /// Of the email dispatcher; nil if the program has none.
  static var mail: MailReading? { installedMail.withLock(\.self) }

  /// Hands it in, before the first command is read.
  public static func install(push: @escaping Reading) {
    installedPush.withLock { $0 = push }
  }

  /// Hands it in, before the first command is read.
  public static func install(mail: @escaping MailReading) {
    installedMail.withLock { $0 = mail }
  }
}
