import ArgumentParser

/// `belfry users`
struct UsersCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "users",
    abstract: "Shows, makes and changes profiles, and erases users.",
    discussion: """
      A profile has what the backend knows of a user: address, name, language, time zone. Users go by the id in their tokens \
      (sub).

        belfry users set 4f9c1c1e-0001-4000-8000-000000000001 --email ann@example.com --name Ann --locale en
        belfry users patch 4f9c1c1e-0001-4000-8000-000000000001 --timezone Europe/Berlin --clear email
      """,
    subcommands: [UserShowCommand.self, UserSetCommand.self, UserPatchCommand.self, UserRemoveCommand.self]
  )

  init() {}
}
