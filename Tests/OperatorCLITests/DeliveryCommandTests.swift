import ArgumentParser
import ConsoleCommands
import Foundation
import BelfryJSON
import Testing
import TestSupport

@testable import OperatorCLI

/// `belfry find` and `belfry stats`
@Suite struct DeliveryCommandTests {
  private static let ann = "6f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a5b"

  private static let delivery = """
    {"notificationId":"n","userId":"u","requestId":"r","type":10,"typeName":null,"channel":2,"channelName":"push",\
    "target":"d","outcome":"rejected","reason":"UNREGISTERED","providerId":null,"attempts":1,"at":"2026-11-21T05:44:10.609Z"}
    """

  @Test func `deliveries are found by what is said of them`() async throws {
    try await StubGateway.with { _ in
      .init(body: #"{"deliveries":[\#(Self.delivery)],"hasMore":true,"next":"bmV4dA"}"#)
    } _: { gateway in
      let find = ["find", "--user", Self.ann, "--request", Self.ann, "--outcome", "rejected"]
      let run = try await CommandRun.run(find + ["--since", "2026-11-21T00:00:00+01:00"], at: gateway)
      #expect(
        run.cells == [
          ["at", "user", "type", "channel", "target", "outcome", "reason", "tries", "notification"],
          ["2026-11-21T05:44:10.609Z", "u", "10", "push", "d", "rejected", "UNREGISTERED", "1", "n"],
          ["There are more: --after bmV4dA"],
        ]
      )
      let path = "/api/v1/admin/deliveries?pageSize=20&user=\(Self.ann)&request=\(Self.ann)&outcome=rejected"
      #expect(gateway.asked.map(\.line) == ["GET \(path)&since=2026-11-21T00%3A00%3A00%2B01%3A00"])
    }
    try await StubGateway.with { _ in
      .init(body: #"{"deliveries":[],"hasMore":false,"next":null}"#)
    } _: { gateway async throws in
      #expect(try await CommandRun.run(["find"], at: gateway).lines == ["No such deliveries."])
    }
  }

  @Test(arguments: [
    (["--since", "2h"], "2026-11-22T22%3A30%3A00Z"), (["--since", "90min"], "2026-11-22T23%3A00%3A00Z"),
    (["--since", "soon"], "soon"), ([], "2026-11-22T00%3A30%3A00Z"),
  ])
  func `a span is counted back from now, unless said a day, and all else is for the gateway to refuse`(
    _ arguments: [String],
    _ since: String
  ) throws {
    let command = try FindCommand.parse(arguments)
    let now = Date(timeIntervalSince1970: 1_795_393_800)
    #expect(command.path(now: now).text == "/api/v1/admin/deliveries?pageSize=20&since=\(since)")
  }

  @Test func `one notification is shown as its history`() async throws {
    let history = """
      {"id":"n","type":10,"typeName":"A","localTime":"2026-11-22 22:30 UTC","channels":[{"words":"push delivered","deliveries":[]}]}
      """
    try await StubGateway.with { _ in
      .init(body: history)
    } _: { gateway in
      let run = try await CommandRun.run(["find", "--user", Self.ann, "--notification", Self.ann], at: gateway)
      #expect(run.lines == ["A (10) of 2026-11-22 22:30 UTC, notification n:", "  push delivered"])
      #expect(gateway.asked.map(\.line) == ["GET /api/v1/admin/notifications/\(Self.ann)?user=\(Self.ann)"])
    }
  }

  @Test(arguments: [
    ["find", "--notification", ann], ["find", "--outcome", "lost"], ["find", "--limit", "0"],
    ["find", "--user", ann, "--notification", ann, "--since", "2h"], ["stats", "--by", "hour"],
  ])
  func `what cannot be asked is refused before anybody is asked`(_ arguments: [String]) async {
    await #expect(throws: (any Error).self) { _ = try await CommandRun.run(arguments) }
  }

  private static let counts =
    #""sent":100,"delivered":98,"failed":2,"displayed":40,"opened":49,"acted":0,"deliveredRate":0.98,"#
    + #""openRate":0.5,"actionRate":null"#

  private static func stats(
    _ by: String,
    _ row: String,
    permissions: String = #"{"requested":20,"granted":15,"denied":5,"rate":0.75}"#
  ) -> String {
    #"{"from":"2026-11-01","to":"2026-11-30","by":"\#(by)","rows":[\#(row)],"#
      + #""permissions":\#(permissions),"unsubscribes":{"count":1,"rate":0.0071}}"#
  }

  @Test(arguments: [
    ("type", #""type":10,"typeName":"AllowanceDeposit""#, "AllowanceDeposit (10)"), ("type", #""type":999"#, "999"),
    ("channel", #""channel":2,"channelName":"push""#, "push"), ("day", #""day":"2026-11-21""#, "2026-11-21"),
  ])
  func `statistics are a table with the rates`(_ by: String, _ name: String, _ shown: String) async throws {
    try await StubGateway.with { _ in
      .init(body: Self.stats(by, "{\(name),\(Self.counts)}"))
    } _: { gateway in
      let arguments = ["stats", "--by", by, "--from", "2026-11-01", "--to", "2026-11-30"]
      let run = try await CommandRun.run(arguments, at: gateway)
      #expect(run.lines.count == 5 && run.lines[0] == "2026-11-01 to 2026-11-30")
      #expect(run.lines[1].hasPrefix(by) && run.lines[2].hasPrefix(shown), "\(run.output)")
      let cells = run.lines[2].dropFirst(shown.count).split(separator: " ").map(String.init)
      #expect(cells == ["100", "98", "98.0%", "2", "40", "49", "50.0%", "0", "-"])
      #expect(run.lines[3] == "Permission to push: 20 requested, 15 granted, 5 denied; 75.0% granted")
      #expect(run.lines[4] == "Unsubscribed: 1; 0.7%")
      #expect(gateway.asked.map(\.line) == ["GET /api/v1/admin/stats?from=2026-11-01&to=2026-11-30&by=\(by)"])
    }
  }

  @Test func `where nothing was sent that is said`() async throws {
    try await StubGateway.with { _ in
      .init(body: Self.stats("type", ""))
    } _: { gateway in
      let run = try await CommandRun.run(["stats"], at: gateway)
      #expect(run.lines.first == "Nothing was sent from 2026-11-01 to 2026-11-30." && run.lines.count == 3)
    }
  }

  @Test func `where nobody knows how many were asked for permission no rate is shown`() async throws {
    try await StubGateway.with { _ in
      .init(body: Self.stats("type", "", permissions: #"{"requested":0,"granted":1,"denied":0,"rate":null}"#))
    } _: { gateway in
      let run = try await CommandRun.run(["stats"], at: gateway)
      #expect(run.lines[1] == "Permission to push: 0 requested, 1 granted, 0 denied")
    }
  }
}
