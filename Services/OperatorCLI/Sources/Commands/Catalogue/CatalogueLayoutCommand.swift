import ArgumentParser
import ConsoleCommands
import NotificationModel

/// `belfry catalogue layout`
struct CatalogueLayoutCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "layout",
    abstract: "Prints the built-in layout of mails, to begin one of your own.",
    discussion: """
      What you make of it is `mailLayout.html` in the catalogue. No gateway is asked.

        belfry catalogue layout > mail-layout.html
      """
  )

  init() {}

  func run(on console: Console) async throws {
    for line in MailLayout.source.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      try console.say(String(line))
    }
  }
}
