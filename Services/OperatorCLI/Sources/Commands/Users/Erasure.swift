import ArgumentParser
import Authentication
import ConsoleCommands
import Foundation

/// What the commands share that erase a user.
struct Erasure: ParsableArguments {
  @OptionGroup var user: UserArgument

  @OptionGroup var consent: Consent

  @OptionGroup var gateway: GatewayOptions

  init() {}

  static let discussion = """
    Profile, inbox, devices, choices, schedules, and what waits; what is in a queue is not delivered any more. It cannot be taken \
    back. The audit log keeps a line that it was done, not of whom. Who is not known is erased, too: something may be on its way.
    """

  func run(on console: Console) async throws {
    try consent.ask("Erase everything that is kept about \(user.id)?", on: console)
    try await gateway.using(as: .service) { gateway in
      // It goes through every table.
      try await gateway.call("DELETE", user.path.text, timeout: .seconds(600))
    }
    try console.say("Nothing is left about \(user.id).")
  }
}
