import ArgumentParser
import Authentication
import ConsoleCommands
import BelfryJSON

/// `belfry users patch`
struct UserPatchCommand: ConsoleCommand {
  /// What can be without a value, as the options name it.
  enum Clearable: String, CaseIterable, ExpressibleByArgument {
    case email, name, locale, timezone

    /// As the gateway names it.
    var field: String { self == .name ? "displayName" : rawValue }
  }

  static let configuration = CommandConfiguration(
    commandName: "patch",
    abstract: "Changes parts of a profile.",
    discussion: "What is neither given nor cleared stays as it is."
  )

  @OptionGroup var user: UserArgument

  @OptionGroup var profile: ProfileOptions

  @Option(help: "Leaves it without a value; may be repeated.")
  var clear: [Clearable] = []

  @OptionGroup var options: ShowOptions

  init() {}

  func validate() throws {
    if profile.isEmpty, clear.isEmpty { throw ValidationError("say what to change, or --clear what") }
    let given: [(Clearable, String?)] = [
      (.email, profile.email), (.name, profile.name), (.locale, profile.locale), (.timezone, profile.timezone),
    ]
    for (field, value) in given where value != nil && clear.contains(field) {
      throw ValidationError("--\(field.rawValue) goes without --clear \(field.rawValue)")
    }
  }

  func run(on console: Console) async throws {
    try await options.ask("PATCH", user.path, as: .service, on: console) { answer in
      answer.record
    } body: { writer in
      writer.object { writer in
        profile.write(to: &writer)
        for field in Set(clear.map(\.field)).sorted() {
          writer.dynamicKey(field)
          writer.null()
        }
      }
    }
  }
}
