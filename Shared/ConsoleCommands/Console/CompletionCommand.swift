public import ArgumentParser

/// `belfry completion`, and the same of another program.
public struct CompletionCommand<Program: ParsableCommand>: ConsoleCommand {
  public static var configuration: CommandConfiguration {
    let program = Program.configuration.commandName ?? ""
    return CommandConfiguration(
      commandName: "completion",
      abstract: "Prints a script that completes commands and options in a shell.",
      discussion: """
        The script knows the commands by itself; completing asks no gateway.

          source <(\(program) completion bash)
          \(program) completion zsh > "${fpath[1]}/_\(program)"
          \(program) completion fish > ~/.config/fish/completions/\(program).fish
        """
    )
  }

  public enum Shell: String, CaseIterable, ExpressibleByArgument, Sendable {
    case bash, zsh, fish

    fileprivate var kind: CompletionShell {
      switch self {
      case .bash: .bash
      case .zsh: .zsh
      case .fish: .fish
      }
    }
  }

  @Argument(help: "The shell.")
  var shell: Shell

  public init() {}

  public func run(on console: Console) async throws {
    try console.write(Array((Program.completionScript(for: shell.kind) + "\n").utf8))
  }
}
