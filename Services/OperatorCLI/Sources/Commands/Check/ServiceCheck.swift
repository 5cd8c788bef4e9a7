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

  private static let installed = Mutex<Reading?>(nil)

  /// Of the push dispatcher; nil if the program has none.
  static var push: Reading? { installed.withLock(\.self) }

  /// Hands it in, before the first command is read.
  public static func install(push: @escaping Reading) {
    installed.withLock { $0 = push }
  }
}
