import ArgumentParser
import ConsoleCommands
import BelfryJSON
import Logging

/// `belfry check push`
struct CheckPushCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "push",
    abstract:
      "Checks the keys of each provider of pushes, the clock, and what the provider says. Nothing is delivered.",
    discussion: """
      It reads the settings of belfry-push: run it where that runs, with its environment, or name its file by BELFRY_CONFIG_FILE. \
      Each finding has a line: provider, ok or FAILED, and what was found. The exit status is 0 if all are good, else 1.

      FCM validates a push to a topic, without sending it. APNs has no dry run: it is asked for a device that is none.
      """
  )

  @Flag(help: "Prints JSON, for programs.")
  var json = false

  @OptionGroup var stack: StackOptions

  init() {}

  func run(on console: Console) async throws {
    guard let reading = ServiceCheck.push else { throw CommandFailure("This program has no push dispatcher to check.") }
    let check = try await stack.read { reading($0) }
    // Its findings say what a log would.
    var logger = Logger.quiet
    logger.logLevel = .critical
    let findings = await check(logger)
    if json {
      var writer = JSONWriter()
      writer.object { writer in
        writer.array("findings") { writer in
          for finding in findings {
            writer.object { writer in
              writer.field("provider", finding.subject)
              writer.field("isGood", finding.isGood)
              writer.field("text", finding.text)
            }
          }
        }
      }
      try console.json(writer.bytes)
    } else {
      for finding in findings {
        try console.say("\(finding.subject): \(finding.isGood ? "ok" : "FAILED"): \(finding.text)")
      }
    }
    guard findings.allSatisfy(\.isGood) else { throw ExitCode.failure }
  }
}
