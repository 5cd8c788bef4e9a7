import ArgumentParser

/// `belfry requests`
struct RequestsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "requests",
    abstract: "Tells what became of a send, and withdraws it.",
    discussion:
      "A send's answer has its request's id, as `belfry send` prints it, and so has each line of `belfry find --json`.",
    subcommands: [RequestShowCommand.self, RequestCancelCommand.self]
  )

  init() {}
}
