import Foundation
import TestSupport
import Testing

/// `.ci/progress`, which newcomers watch for some minutes.
@Suite struct BuildProgressTests {
  private struct Outcome {
    let status: Int32
    let said: [String]
    let log: String
  }

  /// Runs a "build" that prints these lines.
  private func build(_ lines: [String], status: Int = 0, every seconds: Int = 0) throws -> Outcome {
    let log = FileManager.default.temporaryDirectory.appending(path: "belfry-build-\(UUID().uuidString).log")
    defer { try? FileManager.default.removeItem(at: log) }
    let process = Process()
    process.executableURL = Repository.root.appending(path: ".ci/progress")
    process.arguments = ["Building", "bash", "-c", "printf '%s\\n' \"$@\"; exit \(status)", "build"] + lines
    process.environment = ProcessInfo.processInfo.environment.merging([
      "BELFRY_BUILD_LOG": log.path, "BELFRY_PROGRESS_SECONDS": String(seconds),
    ]) { $1 }
    let output = Pipe()
    process.standardError = output
    process.standardOutput = output
    try process.run()
    let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus,
      said: said.split(separator: "\n").map(String.init),
      log: try String(contentsOf: log, encoding: .utf8)
    )
  }

  @Test func `a first build says how far it is, and for how long it will go on`() throws {
    let outcome = try build(["[1/1500] Compiling A", "[1200/1900] Compiling B", "[9999/9999] Linking belfry"])
    #expect(outcome.status == 0)
    let shares = try outcome.said.prefix(3).map { line in
      let match = try #require(line.wholeMatch(of: /Building: ([0-9]+) %, (about [0-9]+ min|less than a minute) left/))
      return try #require(Int(match.1))
    }
    #expect(shares.first == 0 && shares.last == 100 && shares == shares.sorted(), "\(outcome.said)")
    #expect(outcome.said.last?.wholeMatch(of: /Building: done in 0 min [0-9]+ s/) != nil, "\(outcome.said)")
  }

  @Test func `a build of a few changes counts them`() throws {
    let outcome = try build(["[3/12] Compiling A"])
    #expect(outcome.said.first == "Building: step 3 of 12")
  }

  @Test func `a build that is done in a moment says nothing`() throws {
    let outcome = try build(["[1/1] Planning", "Build complete!"], every: 30)
    #expect(outcome.said == [] && outcome.status == 0)
  }

  @Test func `of a build that fails the complaint is shown, and its status is passed on`() throws {
    let outcome = try build(
      ["[1/20] Compiling A", "A.swift:1:1: error: no such thing", "[2/20] Compiling B"],
      status: 7,
      every: 30
    )
    #expect(outcome.status == 7)
    #expect(outcome.said.first == "A.swift:1:1: error: no such thing")
    #expect(outcome.said.last?.hasPrefix("Building failed; all that the compiler said is in ") == true)
    #expect(outcome.log.contains("[2/20] Compiling B"))
  }
}
