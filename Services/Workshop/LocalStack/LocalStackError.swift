/// Why a part of the local stack could not be started or used, in words for the person at the terminal.
public struct LocalStackError: Error, Sendable, CustomStringConvertible {
  /// What went wrong, by kind.
  public enum Code: Sendable, Hashable {
    /// A program is not installed; `advice` holds the command that installs it.
    case missingProgram
    /// A directory or file could not be written or read.
    case fileSystem
    /// A process could not be started.
    case cannotStart
    /// A process ended although it should be running, or a command failed.
    case exited
    /// Something did not become ready in time.
    case timeout
    /// The data directory is in use by another local stack.
    case inUse
    /// The caller was cancelled.
    case cancelled
  }

  public var code: Code
  /// One sentence.
  public var message: String
  /// What to do about it, or `nil`.
  public var advice: String?
  /// The end of the log of the process concerned, or `nil`.
  public var logTail: String?

  public init(_ code: Code, _ message: String, advice: String? = nil, logTail: String? = nil) {
    self.code = code
    self.message = message
    self.advice = advice
    self.logTail = logTail
  }

  public var description: String {
    var text = message
    if let logTail, !logTail.isEmpty {
      text += "\n" + logTail.split(separator: "\n").map { "    | \($0)" }.joined(separator: "\n")
    }
    if let advice { text += "\n" + advice }
    return text
  }
}
