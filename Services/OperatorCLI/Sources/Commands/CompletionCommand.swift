import ArgumentParser

/// `belfry completion`
struct CompletionCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "completion",
    abstract: "Prints a script that completes commands and options in a shell.",
    discussion: """
      The script knows the commands by itself; completing asks no gateway.

        source <(belfry completion bash)
        belfry completion zsh > "${fpath[1]}/_belfry"
        belfry completion fish > ~/.config/fish/completions/belfry.fish
      """
  )

  enum Shell: String, CaseIterable, ExpressibleByArgument {
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

  init() {}

  func run(on console: Console) async throws {
    try console.write(Array((BelfryCommand.completionScript(for: shell.kind) + "\n").utf8))
  }
}
