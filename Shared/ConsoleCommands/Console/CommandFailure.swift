import TerminalText

/// Why a command could not do what it was asked to, in words for the person at the terminal.
public struct CommandFailure: Error, CustomStringConvertible {
  public let description: String

  /// - Parameter description: In one line or several; what it has of others' words does not steer the terminal.
  public init(_ description: String) {
    self.description = description.escapedForTerminal(except: ["\n"])
  }
}
