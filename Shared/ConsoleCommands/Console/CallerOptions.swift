import Foundation
import Glibc

/// The options with which a command was called, for other commands that it names: who copies these asks the same Belfry.
public struct CallerOptions: Sendable {
  private let gateway: String?
  private let token: String?
  private let dataDirectory: String?
  private let page: String?
  /// Whether what is said is read by the person who typed it.
  private let showsSecrets: Bool

  /// Of this process, or of a command within a test. Secrets are shown on a terminal alone, which has them above: no file and no log gets
  /// one.
  @TaskLocal public static var current = CallerOptions(
    CommandLine.arguments,
    showsSecrets: isatty(STDOUT_FILENO) == 1 && isatty(STDERR_FILENO) == 1
  )

  public init(_ arguments: [String], showsSecrets: Bool) {
    gateway = Self.value(of: "--gateway", in: arguments)
    token = Self.value(of: "--token", in: arguments)
    dataDirectory = Self.value(of: "--data-dir", in: arguments)
    page = Self.value(of: "--page", in: arguments)
    self.showsSecrets = showsSecrets
  }

  /// A command that asks the gateway, as whom the caller is.
  public func gateway(_ command: String) -> String {
    Self.words(
      command,
      [
        ("--gateway", gateway.map(shown)), ("--token", token.map { showsSecrets ? $0 : "…" }),
        ("--data-dir", dataDirectory),
      ]
    )
  }

  /// A command that finds the running stack by itself.
  public func stack(_ command: String) -> String { Self.words(command, [("--data-dir", dataDirectory)]) }

  /// A command of the demo's.
  public func page(_ command: String) -> String {
    Self.words(command, [("--page", page), ("--data-dir", dataDirectory)])
  }

  /// An argument for any POSIX shell: as it is where that means itself.
  public static func quoted(_ argument: String) -> String {
    let plain = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:@%+,=…")
    guard argument.isEmpty || !argument.unicodeScalars.allSatisfy(plain.contains) else { return argument }
    return "'\(argument.replacing("'", with: #"'\''"#))'"
  }

  private func shown(_ gateway: String) -> String {
    showsSecrets ? gateway : CommandFailure.withoutCredentials(gateway)
  }

  private static func words(_ command: String, _ options: [(name: String, value: String?)]) -> String {
    ([command] + options.compactMap { name, value in value.map { "\(name) \(quoted($0))" } }).joined(separator: " ")
  }

  /// `--name value` or `--name=value`; of several the last.
  private static func value(of name: String, in arguments: [String]) -> String? {
    let options = arguments.prefix { $0 != "--" }
    var value: String?
    for (argument, next) in zip(options, options.dropFirst() + [""]) {
      if argument == name {
        value = next
      } else if argument.hasPrefix(name + "=") {
        value = String(argument.dropFirst(name.count + 1))
      }
    }
    return value
  }
}
