import ArgumentParser

/// `belfry explain`
struct ExplainCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Tells why somebody hears of something, or does not, in words for a customer.",
    discussion: """
      The gateway answers, from what the router reads and by the rules that the router asks; nothing is sent or stored. \
      With a type and an event that are built in:

        belfry explain history <user>            (what became of the latest notifications)
        belfry explain send <user> AllowanceDeposit --at 2026-11-22T22:30:00+01:00
        belfry explain event BalanceUpdated \\
          --payload '{"childId":"4f9c1c1e-0001-4000-8000-000000000001","newBalance":8,"previousBalance":12}'
      """,
    subcommands: [ExplainHistoryCommand.self, ExplainSendCommand.self, ExplainEventCommand.self]
  )

  init() {}
}
