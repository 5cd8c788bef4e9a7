import ArgumentParser
import ConsoleCommands
import BelfryJSON
import Logging

/// `belfry check mail`
struct CheckMailCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "mail",
    abstract:
      "Checks what providers look at before they take mails: server, SPF, DKIM, DMARC, PTR, MX. No mail is sent.",
    discussion: """
      It reads the settings of belfry-email: run it where that runs, with its environment, or name its file by BELFRY_CONFIG_FILE. \
      Each finding has a line: what was looked at, ok, note or FAILED, and what was found; below it what to do. The exit status is \
      1 if anything FAILED, else 0.

      Records come from this machine's name servers. A record that was changed may take as long to be seen as its time to live says.
      """
  )

  @Option(
    name: .customLong("address"),
    help: "An address from which your mail server sends to the internet; may be repeated."
  )
  var addresses: [String] = []

  @Option(
    name: .customLong("selector"),
    help:
      "Name of a DKIM key with which your mail server signs, e.g. s1, or s1@mg.example.com as another domain; may be repeated."
  )
  var selectors: [String] = []

  @Option(help: "The name server to ask, e.g. 9.9.9.9 or 127.0.0.1:5353.")
  var resolver: String?

  @Flag(help: "Prints JSON, for programs.")
  var json = false

  @OptionGroup var stack: StackOptions

  init() {}

  func run(on console: Console) async throws {
    guard let reading = ServiceCheck.mail else {
      throw CommandFailure("This program has no email dispatcher to check.")
    }
    let options = ServiceCheck.MailOptions(addresses: addresses, selectors: selectors, resolver: resolver)
    let check = try await stack.read { reading($0, options) }
    // Its findings say what a log would.
    var logger = Logger.quiet
    logger.logLevel = .critical
    let findings = await check(logger)
    if json {
      try console.json(Self.document(findings))
    } else {
      for finding in findings {
        try console.say("\(finding.subject): \(finding.verdict.rawValue): \(finding.text)")
        if let advice = finding.advice { try console.say("  -> \(advice)") }
      }
    }
    guard !findings.contains(where: { $0.verdict == .bad }) else { throw ExitCode.failure }
  }

  private static func document(_ findings: [ServiceCheck.MailFinding]) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.array("findings") { writer in
        for finding in findings {
          writer.object { writer in
            writer.field("subject", finding.subject)
            writer.field("verdict", finding.verdict.rawValue.lowercased())
            writer.field("text", finding.text)
            if let advice = finding.advice { writer.field("advice", advice) }
          }
        }
      }
    }
    return writer.bytes
  }
}
