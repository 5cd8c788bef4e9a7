import ArgumentParser
import Authentication
import ConsoleCommands

/// `belfry catalogue show`
struct CatalogueShowCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Shows the catalogue file in force, or that of a version, as it was applied.",
    discussion: """
        belfry catalogue show
        belfry catalogue show 3 --output old.yaml
      """
  )

  @Argument(help: "A version's number; without it, what is in force.")
  var version: Int?

  @Option(
    help: ArgumentHelp("Where to write it, byte for byte; without it, to standard output.", valueName: "file"),
    completion: .file()
  )
  var output: String?

  @OptionGroup var options: ShowOptions

  init() {}

  func validate() throws {
    if let version, version < 1 { throw ValidationError("expected the number of a version, from 1") }
  }

  func run(on console: Console) async throws {
    let path =
      version.map { GatewayPath("admin", "catalogue", "versions", String($0)) } ?? GatewayPath("admin", "catalogue")
    let accept = options.json ? "application/json" : "application/yaml"
    let answer = try await options.gateway.using(as: .admin) { gateway in
      try await gateway.exchange("GET", path.text, headers: [(name: "Accept", value: accept)])
    }
    if let output, output != "-" {
      let file = try WholeFile(output)
      do {
        try file.write(answer.body)
        try file.finish()
      } catch {
        file.discard()
        throw error
      }
      return try console.note("Written to \(output).")
    }
    guard !options.json else { return try console.json(answer.body) }
    let text = String(decoding: answer.body, as: UTF8.self)
    try console.say(text.hasSuffix("\n") ? String(text.dropLast()) : text, except: ["\n", "\t"])
  }
}
