import Foundation
import LocalStack
import NotificationModel
import TestSupport
import Testing

extension EndToEndTests {
  /// A page in Chromium, with what every browser has: `fetch`, `WebSocket` and `EventSource`.
  @Suite(.serialized, .timeLimit(.minutes(3))) struct BrowserTests {
    private static let script = "Tests/Conformance/chromium_page.py"

    @Test func `a page of an allowed origin uses each transport with credentials`() async throws {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser(platforms: [])
        let port = try TestStack.pagePort.get()
        let page = try ScriptProcess(
          Self.script,
          ["--url", belfry.stack.hubURL, "--token", ann.token, "--port", "\(port)", "--deadline", "120"]
        )
        for transport in ForeignClient.HubTransport.allCases {
          try await Self.wait(for: "ready", transport, page)
          let request = #"{"to":{"users":["\#(ann.id)"]},"type":12,"title":"Ünïcode 🎉 日本","body":"\#(transport)"}"#
          _ = try await belfry.send(request).expect(202)
          try await Self.wait(for: "closed", transport, page)
          let received = try Self.events("received", transport, page).compactMap {
            $0["notification"] as? [String: Any]
          }
          #expect(received.count == 1)
          #expect(received.first?["title"] as? String == "Ünïcode 🎉 日本")
          #expect(received.first?["body"] as? String == "\(transport)")
          let completions = try Self.events("completion", transport, page)
          #expect(completions.map { $0["target"] as? String } == ["MarkAsRead", "NoSuchMethod"])
          #expect(
            completions.map { $0["error"] as? String } == [
              nil,
              "Failed to invoke 'NoSuchMethod' due to an error on the server. HubException: Method does not exist.",
            ]
          )
          #expect(try await belfry.unreadCount(of: ann) == 0)
        }
        #expect(await page.waitForExit(within: .seconds(20)) == 0, "\(page.output)")
        let errors = try page.events("errors").first
        #expect(errors?["unauthorized"] as? Int == 401)
        #expect(errors?["unknown"] as? Int == 404)
      }
    }

    @Test func `a page of another origin gets nothing by any transport`() async throws {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser(platforms: [])
        // On a free port of its own, and so from an origin that the hub does not know.
        let page = try ScriptProcess(
          Self.script,
          ["--url", belfry.stack.hubURL, "--token", ann.token, "--refused", "--deadline", "60"]
        )
        #expect(await page.waitForExit(within: .seconds(70)) == 0, "\(page.output)")
        let attempts = try page.events("attempt")
        #expect(attempts.count == 6)
        for attempt in attempts { #expect(attempt["refused"] as? Bool == true, "\(attempt)") }
      }
    }

    private static func events(
      _ name: String,
      _ transport: ForeignClient.HubTransport,
      _ page: ScriptProcess
    ) throws -> [[String: Any]] {
      try page.events(name).filter { $0["transport"] as? String == transport.rawValue }
    }

    private static func wait(
      for event: String,
      _ transport: ForeignClient.HubTransport,
      _ page: ScriptProcess
    ) async throws {
      try await eventually("\(transport) is \(event)", within: .seconds(40)) {
        if try !events(event, transport, page).isEmpty { return true }
        try #require(page.isRunning, "\(page.output)")
        return false
      }
    }
  }
}
