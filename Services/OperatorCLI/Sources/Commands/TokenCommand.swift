import ArgumentParser
import Authentication
import ConsoleCommands
import Foundation

/// `belfry token`
struct TokenCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "token",
    abstract: "Mints a JWT for development and prints it.",
    discussion: """
      Signed (HS256) with the local stack's secret, or BELFRY_AUTH_SECRET, from BELFRY_AUTH_ISSUER and to \
      BELFRY_AUTH_AUDIENCE where these are set. In production your identity provider issues the tokens.

        belfry token --user 4f9c1c1e-0001-4000-8000-000000000001
        belfry token --role service
      """
  )

  @Option(
    help: ArgumentHelp("The user it speaks for; without it, a backend named `belfry-cli`.", valueName: "id"),
    transform: Identifier.user
  )
  var user: String?

  @Option(help: "What the bearer may do: user, service or admin. May be repeated.", transform: Self.role)
  var role: [Role] = []

  @Option(help: ArgumentHelp("How long it is good for.", valueName: "hours"))
  var hours = 24

  @OptionGroup var stack: StackOptions

  init() {}

  func validate() throws {
    if user == nil, role.isEmpty {
      throw ValidationError("say for whom: --user <id>, --role service or --role admin")
    }
    if !(1...87_600).contains(hours) { throw ValidationError("--hours: expected 1 to 87600") }
  }

  private static func role(_ text: String) throws -> Role {
    if let role = Role(rawValue: text) { return role }
    throw ValidationError("expected \(Role.allCases.map(\.rawValue).joined(separator: ", "))")
  }

  func run(on console: Console) async throws {
    let token = try await stack.read { TokenMinting($0) }.mint(
      subject: user ?? "belfry-cli",
      roles: role.isEmpty ? [.user] : Set(role),
      lifetime: .seconds(hours * 3_600)
    )
    try console.say(token)
  }
}
