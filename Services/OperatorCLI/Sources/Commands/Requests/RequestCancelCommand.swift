import ArgumentParser
import Authentication
import ConsoleCommands
import BelfryJSON

/// `belfry requests cancel`
struct RequestCancelCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "cancel",
    abstract: "Cancels what of a send is scheduled or waits; with --withdraw also takes it out of inboxes.",
    discussion: """
      It says how many notifications waited on some channel; without --withdraw they stay in inboxes. Pushes and mails that are sent \
      are not called back. What a router comes to later is left out where it would have waited.
      """
  )

  @OptionGroup var request: RequestArgument

  @Flag(help: "Also takes what was delivered out of inboxes, read or not.")
  var withdraw = false

  @OptionGroup var consent: Consent

  @OptionGroup var options: ShowOptions

  init() {}

  func run(on console: Console) async throws {
    let path = request.path.with("withdraw", withdraw ? "true" : nil)
    try consent.ask("Cancel what waits of \(request.id)\(withdraw ? ", and take it out of inboxes" : "")?", on: console)
    let answer = try await options.gateway.using(as: .admin) { gateway in
      // A hundred thousand go in transactions of a thousand.
      try await gateway.call("DELETE", path.text, timeout: .seconds(600))
    }
    try options.show(answer, on: console, lines)
  }

  private func lines(_ answer: JSONValue) -> [String] {
    let cancelled = "\(answer["cancelledCount"]?.shown ?? "?") cancelled"
    let withdrawn = answer["withdrawnCount"].map { ", \($0.shown) taken out of inboxes" } ?? ""
    let whole = answer["status"]?.string == "cancelled" ? ": nothing of it was sent" : ""
    let lines = ["\(cancelled)\(withdrawn)\(whole)."]
    guard answer["isComplete"]?.boolean == false else { return lines }
    return lines + [
      withdraw ? "There may be more: say it again." : "There may be more; they are left out when they come due."
    ]
  }
}
