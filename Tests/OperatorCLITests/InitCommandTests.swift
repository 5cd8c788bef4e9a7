import ArgumentParser
import Foundation
import BelfryJSON
import NotificationModel
import Rules
import TestSupport
import Testing
import WallClock

@testable import OperatorCLI

/// `belfry init`
@Suite struct InitCommandTests {
  private static let noon = Date(timeIntervalSince1970: 1_795_348_800)

  private func starter() throws -> Catalogue {
    let review = Catalogue.review(StarterCatalogue.text)
    #expect(review.problems == [])
    return try #require(review.catalogue)
  }

  @Test func `it writes the starter, says what comes next, and leaves what is there`() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "belfry-init-\(UUID()).yaml").path
    defer { try? FileManager.default.removeItem(atPath: file) }
    let run = try await CommandRun.run(["init", file])
    #expect(run.failure == nil)
    #expect(run.lines.contains("  belfry-dev run --catalogue \(file)"))
    #expect(try String(contentsOfFile: file, encoding: .utf8) == StarterCatalogue.text)
    try "mine".write(toFile: file, atomically: true, encoding: .utf8)
    let again = try await CommandRun.run(["init", file])
    #expect(again.failure?.contains("is there already") == true && again.output == "")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine")
    let nowhere = try await CommandRun.run(["init", "/nowhere/catalogue.yaml"])
    #expect(nowhere.failure == "/nowhere/catalogue.yaml: cannot be written")
  }

  @Test func `a name that the shell would take apart is quoted in what comes next`() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "my shop \(UUID()).yaml").path
    defer { try? FileManager.default.removeItem(atPath: file) }
    let lines = try await CommandRun.run(["init", file]).lines
    for command in ["check", "apply"] { #expect(lines.contains("  belfry catalogue \(command) '\(file)'")) }
  }

  @Test func `the starter has nothing wrong, and nothing but its own`() throws {
    let catalogue = try starter()
    #expect(catalogue.types.map(\.name) == ["OrderShipped", "OrderDelayed"])
    #expect(catalogue.types.map(\.code) == [1, 2])
    #expect(catalogue.categoryNames == ["Orders"])
    #expect(catalogue.events.map(\.name) == ["DeliveryDelayed"])
    #expect(catalogue.schedules.isEmpty && catalogue.settings.isEmpty)
    #expect(catalogue.rules.rules.map(\.name) == ["order-delayed"])
  }

  @Test func `its rule fires once for an order that is delayed, with words`() throws {
    let catalogue = try starter()
    let rule = try #require(catalogue.rules.rules(on: "DeliveryDelayed").first)
    let settings = RuleSettings(zone: .utc, numbers: [:])
    func evaluate(_ days: Int, _ id: String, _ state: RuleState?) throws -> RuleEvaluation {
      let payload = #"{"customerId":"4f9c1c1e-0001-4000-8000-000000000001","order":"1042","days":\#(days)}"#
      let event = try RuleEvent(
        id: id,
        name: "DeliveryDelayed",
        payload: try JSONParser.parse(Array(payload.utf8)),
        intake: Self.noon,
        occurredAt: Self.noon
      )
      return rule.evaluate(event, settings: settings) { _ in state }
    }
    let late = try evaluate(3, "a", nil)
    guard case .notify(let notice)? = late.effects.first, late.effects.count == 1 else {
      Issue.record("\(late.effects)")
      return
    }
    #expect(notice.type == "OrderDelayed")
    let type = try #require(catalogue.type(.name(notice.type)))
    let data = notice.data.mapValues { $0.text { value, _ in value } }
    #expect(type.template.missing(in: data) == [])
    let text = type.template.render(title: nil, body: nil, data: data)
    #expect(text.title == "Order 1042 is late")
    #expect(text.body == "It comes in 3 days.")
    #expect(try evaluate(4, "b", late.state).effects.isEmpty)
  }

  @Test func `each line that it prints is a command, whatever the file is called`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "belfry init \(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let file = "\(folder)/it's mine.yaml"
    let run = try await CommandRun.run(["init", file])
    #expect(run.failure == nil)
    let printed = run.lines.filter { $0.hasPrefix("  ") }.map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(printed.count == 4)
    var commands: [[String]] = []
    for line in printed {
      // As a shell takes it: no redirection, no word that is divided.
      let shell = Process()
      let output = Pipe()
      shell.executableURL = URL(filePath: "/bin/sh")
      shell.arguments = ["-c", "printf '%s\\n' \(line)"]
      shell.standardOutput = output
      try shell.run()
      let words = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
      shell.waitUntilExit()
      commands.append(words.split(separator: "\n").map(String.init))
    }
    let own = commands.filter { $0.first == "belfry" }
    #expect(own.map { $0[1] } == ["catalogue", "catalogue", "send"])
    for command in own { _ = try BelfryCommand.parseAsRoot(Array(command.dropFirst())) }
    #expect(commands[1] == ["belfry-dev", "run", "--catalogue", file])
    let send = try #require(own.last)
    let data = zip(send, send.dropFirst()).filter { $0.0 == "--data" }.map { String($0.1.prefix { $0 != "=" }) }
    let shipped = try #require(try starter().type(.name("OrderShipped")))
    #expect(shipped.template.missing(in: [:]) == data.sorted())
  }
}
