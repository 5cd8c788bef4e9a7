import Foundation
import Glibc
import LocalStack
import TestSupport
import Testing

extension EndToEndTests.DevelopmentTests {
  /// With the real commands, as the documents tell it.
  @Test func `somebody begins with a starter, sends, changes a text without a restart, and takes it back`() async throws
  {
    let directory = FileManager.default.temporaryDirectory.appending(path: "belfry-dev-\(UUID().uuidString)").path
    defer { Cleanup.removeNow(directory) }
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let file = "\(directory)/my.yaml"
    let belfry = try BelfryPrograms.own().product
    let made = try await CommandResult.run(belfry, ["init", file])
    try #require(made.status == 0, "\(made.output)")
    let session = try await EndToEndTests.Session.start(in: directory, arguments: ["--catalogue", file])
    #expect(try session.output().contains("catalogue \(file) is version 1\n"))
    let folder = ["--data-dir", "\(directory)/data"]
    func run(_ words: [String]) async throws -> String {
      // A check asks nobody.
      let result = try await CommandResult.run(belfry, words.contains("check") ? words : words + folder)
      try #require(result.status == 0, "\(words): \(result.output)")
      return result.output
    }
    func send(_ order: String) async throws {
      let data = ["order=\(order)", "carrier=Post", "day=2026-12-01"].flatMap { ["--data", $0] }
      _ = try await run(["send", "--to", "alex", "--type", "OrderShipped"] + data)
    }
    let token = try await run(["token", "--user", "alex"]).trimmingCharacters(in: .whitespacesAndNewlines)
    let gateway = try #require(try await session.overview()["gateway"] as? String)
    /// What the bell of alex shows.
    func inbox() async throws -> [String] {
      let headers = [(name: "Authorization", value: "Bearer \(token)")]
      let answer = try await session.call("\(gateway)/api/v1/notifications", headers: headers).expect(200)
      return try answer.list("notifications").map { "\($0["title"] ?? ""): \($0["body"] ?? "")" }
    }
    func page() async throws -> (story: Int, sends: [String]) {
      let overview = try await session.overview()
      let sends = try #require(overview["sends"] as? [[String: Any]])
      return (try #require(overview["story"] as? Int), sends.compactMap { $0["name"] as? String })
    }

    // The operator's types are all that there are, for the commands as well.
    let types = try await run(["types"])
    #expect(types.hasPrefix("Version 1 is in force.\n"), "\(types)")
    #expect(types.contains("OrderShipped") && !types.contains("AllowanceDeposit"), "\(types)")
    let people = try await CommandResult.run(session.program, ["demo"] + folder)
    #expect(people.status == 0 && people.output.contains("Alex"), "\(people.output)")
    let first = try await page()
    #expect(first.sends.contains("order-shipped") && !first.sends.contains("order-returned"))
    // Alex is one of the page's three, and got what the start sent.
    #expect(try await inbox().contains { $0.contains("Parcel Post brings order 1042 on ") })
    try await send("2001")
    try await eventually("it is there") {
      try await inbox().contains { $0.hasPrefix("Your order is on its way: Post brings order 2001 on ") }
    }

    // Another text and one more type.
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let type = "  - { code: 3, name: OrderReturned, category: Orders, title: Back, body: It is back }"
    let changed = text.replacing("title: Your order is on its way", with: "title: Order {{order}} is coming")
      .replacing("\nevents:\n", with: "\n\(type)\n\nevents:\n")
    try changed.write(toFile: file, atomically: true, encoding: .utf8)
    #expect(try await run(["catalogue", "check", file]).contains(": good; "))
    let applied = try await run(["catalogue", "apply", file, "--yes"])
    #expect(applied.contains("Type 3 OrderReturned is new") && applied.contains("Version 2 is in force."), "\(applied)")
    try await send("2002")
    try await eventually("the new words are there", within: .seconds(5)) {
      try await inbox().contains { $0.hasPrefix("Order 2002 is coming: ") }
    }
    try await eventually("the page has the new button", within: .seconds(10)) {
      try await page().sends.contains("order-returned")
    }
    #expect(try await page().story > first.story)
    #expect(try await run(["types"]).contains("OrderReturned"))

    // As it was.
    #expect(try await run(["catalogue", "rollback", "1", "--yes"]).contains("Version 3 is in force."))
    try await send("2003")
    try await eventually("the former words are there", within: .seconds(5)) {
      try await inbox().contains { $0.hasPrefix("Your order is on its way: Post brings order 2003 on ") }
    }
    try await eventually("the page has the former buttons", within: .seconds(10)) {
      try await page().sends == first.sends
    }
    let gone = try await CommandResult.run(belfry, ["send", "--to", "alex", "--type", "OrderReturned"] + folder)
    #expect(gone.status == 1 && gone.output.contains("is not in the catalogue"), "\(gone.output)")
    #expect(try await inbox().count == 4)
    try await session.end(by: SIGINT)
  }
}
