import ArgumentParser
import ConsoleCommands
import Foundation
import BelfryJSON
import Settings
import Transport

/// `belfry-dev demo`
struct DemoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Does from a terminal what the page of `belfry-dev run` does; alone, makes the demo's people.",
    discussion: """
      The stack of `belfry-dev run` is found in --data-dir.

        belfry-dev demo send allowance
        belfry-dev demo switch fcm-down on
        belfry-dev demo state
      """,
    subcommands: [
      DemoFamilyCommand.self, DemoSendCommand.self, DemoSwitchCommand.self, DemoStateCommand.self,
      DemoTraceCommand.self,
      DemoTapCommand.self, DemoPushesCommand.self, DemoMailsCommand.self,
    ],
    defaultSubcommand: DemoFamilyCommand.self
  )

  init() {}
}

/// What the subcommands share that ask the page's address.
struct DemoOptions: ParsableArguments {
  @Flag(help: "Prints the answer as it is, for programs.")
  var json = false

  @Option(help: ArgumentHelp("The page's address; without it, BELFRY_DEMO_PAGE_URL's.", valueName: "url"))
  var page: String?

  @OptionGroup var stack: StackOptions

  init() {}

  /// Asks, and shows the answer: as it is, or as `words` make of it.
  ///
  /// - Throws: ``CommandFailure`` where the page or Belfry refuses.
  func ask(
    _ method: String,
    _ path: String,
    on console: Console,
    body: ((inout JSONWriter) -> Void)? = nil,
    _ words: (JSONValue) -> [String]
  ) async throws {
    let answer = try await value(method, path, body: body)
    if json {
      try console.json(JSONWriter.text(answer).utf8)
    } else {
      for line in words(answer) { try console.say(line, except: ["\n"]) }
    }
    // What Belfry itself said to the call that the page made of it.
    guard let status = answer["status"]?.integer, status >= 300 else { return }
    let reason = answer["answer"]?["detail"]?.string ?? "no reason given"
    throw CommandFailure("Belfry refused it with \(status): \(reason)\(reason.hasSuffix(".") ? "" : ".")")
  }

  /// Asks.
  ///
  /// - Throws: ``CommandFailure`` with the reason for any status but 2xx.
  func value(
    _ method: String,
    _ path: String,
    body: ((inout JSONWriter) -> Void)? = nil
  ) async throws -> JSONValue {
    let url = try await url()
    let response = try await GatewayClient.using(url: url, saidBy: "--page or BELFRY_DEMO_PAGE_URL") {
      try await $0.answer(method, path, body: body)
    }
    guard (200..<300).contains(response.status) else {
      throw CommandFailure(Self.reason(response.body) ?? "\(method) \(path) was answered with \(response.status).")
    }
    do {
      return try JSONParser.parse(response.body)
    } catch {
      throw CommandFailure(
        "The answer of \(url)\(path) cannot be read: \(error). Is that the page of `belfry-dev run`?"
      )
    }
  }

  private func url() async throws -> String {
    if let page { return page }
    return try await stack.read(instead: "--page") { settings in
      settings.string("demo.pageUrl", default: nil, "The page of `belfry-dev run`, e.g. http://127.0.0.1:8082.")
    }
  }

  private static func reason(_ problem: [UInt8]) -> String? {
    (try? JSONParser.parse(problem))?["detail"]?.string
  }
}
