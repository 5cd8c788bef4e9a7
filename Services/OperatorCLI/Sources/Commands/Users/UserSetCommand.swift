import ArgumentParser
import Authentication
import ConsoleCommands
import BelfryJSON

/// `belfry users set`
struct UserSetCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Makes a profile, or replaces it.",
    discussion: """
      What is not given is cleared, but for time zone and master switch: there the user's choice stays. `belfry users patch` \
      changes parts.
      """
  )

  @OptionGroup var user: UserArgument

  @OptionGroup var profile: ProfileOptions

  @OptionGroup var options: ShowOptions

  init() {}

  func run(on console: Console) async throws {
    try await options.ask("PUT", user.path, as: .service, on: console) { answer in
      answer.record
    } body: { writer in
      writer.object { profile.write(to: &$0) }
    }
  }
}
