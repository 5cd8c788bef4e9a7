import ArgumentParser
import Authentication
import ConsoleCommands
import BelfryJSON

/// `belfry schedules put`
struct SchedulePutCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "put",
    abstract: "Makes a schedule of a JSON file, or replaces it.",
    discussion: """
      The file has what a send has, and when: docs/schedules.md. What only answers have (key, owner, next, nextIsComplete, \
      createdAt, updatedAt) is left out, so that what `belfry schedules show --json` printed can be put.
      """
  )

  @OptionGroup var name: ScheduleName

  @Argument(help: "A file with a JSON object; without it, standard input.", completion: .file())
  var file = "-"

  @Flag(help: "Only if there is none yet.")
  var new = false

  @OptionGroup var options: ShowOptions

  init() {}

  private static let answered: Set<String> = ["key", "owner", "next", "nextIsComplete", "createdAt", "updatedAt"]

  func run(on console: Console) async throws {
    let definition = try definition(on: console)
    let headers = new ? [(name: "If-None-Match", value: "*")] : []
    try await options.ask("PUT", name.path, as: .admin, on: console, headers: headers) { answer in
      answer.record
    } body: { writer in
      writer.object { $0.members(definition) }
    }
  }

  private func definition(on console: Console) throws -> [JSONMember] {
    var bytes: [UInt8] = []
    try console.read(file) { bytes += $0 }
    do throws(JSONSyntaxError) {
      guard let members = try JSONParser.parse(bytes).members else {
        throw JSONSyntaxError(reason: "Expected a JSON object", offset: 0)
      }
      return members.filter { !Self.answered.contains($0.name) }
    } catch {
      throw CommandFailure("\(Console.name(of: file)): \(error)")
    }
  }
}
