import ArgumentParser
import ConsoleCommands
import BelfryJSON

/// `belfry-dev demo switch`
struct DemoSwitchCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "switch",
    abstract: "Switches a circumstance on or off, or lists them.",
    discussion: """
        belfry-dev demo switch
        belfry-dev demo switch fcm-down on
      """
  )

  enum Position: String, ExpressibleByArgument, CaseIterable {
    case on, off
  }

  @Argument(help: "Which one; without it, all are listed.")
  var name: DemoSwitch?

  @Argument(help: "on or off.")
  var position: Position?

  @OptionGroup var options: DemoOptions

  init() {}

  func validate() throws {
    if name != nil, position == nil { throw ValidationError("say on or off") }
  }

  func run(on console: Console) async throws {
    guard let name, let position else {
      return try await options.ask("GET", "/api/development/switches", on: console) { answer in
        TextTable(Self.columns, of: answer["switches"]?.array ?? []).lines
      }
    }
    try await options.ask("PUT", "/api/development/switches/\(name.rawValue)", on: console) { writer in
      writer.object { $0.field("on", position == .on) }
    } _: { answer in
      let isOn = answer["on"]?.boolean == true
      return ["\(name.rawValue) is \(isOn ? "on" : "off").\(isOn ? " \(answer["effect"]?.string ?? "")" : "")"]
    }
  }

  private static let columns = [
    JSONColumn("name", "name"), JSONColumn("now") { $0["on"]?.boolean == true ? "on" : "off" },
    JSONColumn("what", "words"),
  ]
}

extension DemoSwitch: ExpressibleByArgument {}
