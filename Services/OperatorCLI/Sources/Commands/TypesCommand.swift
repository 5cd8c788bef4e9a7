import ArgumentParser
import Authentication
import ConsoleCommands
import BelfryJSON
import NotificationModel
import Settings

/// `belfry types`
struct TypesCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "types",
    abstract: "Shows the catalogue in force: types, categories, events, rules, schedule templates and settings.",
    discussion: """
      The gateway is asked. Where none answers, it shows what BELFRY_CATALOGUE_FILE names, or else the built-in entries, and says so.

        belfry types
        belfry types --catalogue catalogue.yaml     (what that file would have in force; no gateway is asked)
        belfry types --check catalogue.yaml         (another name of `belfry catalogue check catalogue.yaml`)
      """
  )

  @Option(
    help: ArgumentHelp("Shows what this file (YAML) would have in force. No gateway is asked.", valueName: "file"),
    completion: .file()
  )
  var catalogue: String?

  @Option(
    help: ArgumentHelp(
      "Only checks this file, as `belfry catalogue check` does. No gateway is asked.",
      valueName: "file"
    ),
    completion: .file()
  )
  var check: String?

  @Flag(help: "Prints the whole catalogue as JSON, for programs.")
  var json = false

  @OptionGroup var gateway: GatewayOptions

  init() {}

  func validate() throws {
    if check != nil, catalogue != nil || json {
      throw ValidationError("--check goes with neither --catalogue nor --json")
    }
    if check?.isEmpty == true { throw ValidationError("--check: expected a file") }
    if catalogue?.isEmpty == true { throw ValidationError("--catalogue: expected a file") }
  }

  func run(on console: Console) async throws {
    if let check {
      let result = CatalogueCheck(file: check, on: console)
      for line in result.lines { try console.say(line) }
      guard result.isGood else { throw ExitCode.failure }
      return
    }
    let (catalogue, heading) = try await shown(on: console)
    guard !json else {
      var writer = JSONWriter()
      catalogue.write(to: &writer)
      return try console.json(writer.bytes)
    }
    if let heading { try console.say(heading) }
    for line in CatalogueListing(catalogue).lines { try console.say(line) }
  }

  /// The named file's; that in force, with where it is from; or, without a gateway, what this program has.
  private func shown(on console: Console) async throws -> (catalogue: Catalogue, heading: String?) {
    if let catalogue { return (try Catalogue(file: catalogue), nil) }
    let answer: (body: [UInt8], tag: String?)
    do {
      answer = try await gateway.using(as: .admin) { gateway in
        try await gateway.exchange(
          "GET",
          GatewayPath("admin", "catalogue").text,
          headers: [(name: "Accept", value: "application/yaml")]
        )
      }
    } catch {
      // Who names a gateway means that one.
      guard gateway.address.gateway == nil, gateway.token == nil else { throw error }
      return (try await own(because: error, on: console), nil)
    }
    do {
      return (try Catalogue(overrides: String(decoding: answer.body, as: UTF8.self)), Self.heading(answer.tag))
    } catch {
      throw CommandFailure("This belfry cannot read the gateway's catalogue, which may be of a newer release: \(error)")
    }
  }

  private func own(because error: any Error, on console: Console) async throws -> Catalogue {
    let file = try await gateway.stack.read { $0.string("catalogue.file", default: "", "Catalogue file.") }
    let reason = "\(error)".split(whereSeparator: \.isNewline).first.map(String.init) ?? "no reason given"
    try console.note("The gateway does not say what is in force: \(reason)")
    try console.note(file.isEmpty ? "These are the built-in entries." : "This is what \(file) makes of it.")
    return try Catalogue(file: file)
  }

  /// By the version's ETag.
  private static func heading(_ tag: String?) -> String {
    switch tag.flatMap({ Int($0.dropFirst().dropLast()) }) {
    case 0?: "The built-in catalogue is in force; no version was applied yet."
    case let version?: "Version \(version) is in force."
    case nil: "The gateway's own catalogue file is in force."
    }
  }
}
