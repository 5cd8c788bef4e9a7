import ArgumentParser

/// `belfry schedules`
struct SchedulesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schedules",
    abstract: "Shows, makes and ends schedules.",
    discussion: """
      A schedule belongs to who put it: the subject of the token, `belfry-cli` of one that is minted here. --owner names another.

        belfry schedules list --owner shop
        belfry schedules show bins --owner shop --json > bins.json
        belfry schedules put bins bins.json --owner shop
      """,
    subcommands: [
      ScheduleListCommand.self, ScheduleShowCommand.self, SchedulePutCommand.self, ScheduleDeleteCommand.self,
    ]
  )

  init() {}
}
