import ArgumentParser

/// `belfry groups`
struct GroupsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "groups",
    abstract: "Shows, makes, changes and deletes groups.",
    discussion: """
      Files have a user's id on each line, as `belfry groups members` prints them; `#` begins a comment, `-` is standard input.

        belfry groups members family:demo > family.txt
        belfry groups put family:demo family.txt
        belfry groups add family:demo 4f9c1c1e-0004-4000-8000-000000000004
      """,
    subcommands: [
      GroupShowCommand.self, GroupMembersCommand.self, GroupPutCommand.self, GroupAddCommand.self,
      GroupRemoveCommand.self, GroupDeleteCommand.self,
    ]
  )

  init() {}
}
