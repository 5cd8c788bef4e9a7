import Foundation
import Glibc
import LocalStack
import TestSupport
import Testing
import Transport

extension EndToEndTests {
  /// The first hour: `belfry-dev run` with everything that its page can do, done from a terminal.
  @Suite(.serialized, .timeLimit(.minutes(8))) struct FirstHourTests {
    @Test func `whatever is switched, nothing is lost or comes twice, and it says why`() async throws {
      let directory = FileManager.default.temporaryDirectory.appending(path: "belfry-hour-\(UUID().uuidString)").path
      defer { Cleanup.removeNow(directory) }
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      let docs = "\(directory)/site"
      let settings = ["BELFRY_SIMULATOR_DOCS_DIRECTORY": docs]
      let session = try await Session.start(in: directory, settings: settings)
      let hour = Hour(session: session)
      try await page(session)
      try await lines(session)
      try await documentation(hour, in: docs)
      try await fcmDown(hour)
      try await othersDown(hour)
      try await slowMail(hour)
      try await kill(hour)
      try await night(hour)
      try await reading(hour)
      try await phoneGone(hour)
      try await tap(hour)
      let ledger = try #require(try await hour.demo("state")["ledger"] as? [String: [String: Int]])
      for (channel, entry) in ledger {
        #expect(entry["twice"] == 0, "\(channel)")
        #expect(entry["due"] == (entry["arrived"] ?? 0) + (entry["refused"] ?? 0), "\(channel): \(entry)")
      }
      for (provider, list) in [("fcm", "pushes"), ("apns", "apns"), ("webPush", "webpush")] {
        // Each counts by itself what it took.
        try await eventually("the account has what \(provider) has, each once") {
          let taken = try await session.call("\(session.page())/api/\(list)/summary").expect(200).json
          let arrived = try await hour.pushes(by: provider)["arrived"] ?? 0
          return arrived > 20 && taken["distinctNotifications"] as? Int == arrived
        }
      }
      try await session.end(by: SIGINT)
    }

    /// Pictures of it are in .belfry/first-hour afterwards.
    @Test func `the page shows it all, to everybody, in Chromium`() async throws {
      let directory = FileManager.default.temporaryDirectory.appending(path: "belfry-page-\(UUID().uuidString)").path
      defer { Cleanup.removeNow(directory) }
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      let session = try await Session.start(in: directory)
      let pictures = Repository.root.appending(path: ".belfry/first-hour").path
      let script = try ScriptProcess(
        "Tests/Conformance/first_hour.py",
        ["\(try session.page())/", "--data-dir", "\(session.directory)/data", "--pictures", pictures]
      )
      #expect(await script.waitForExit(within: .seconds(300)) == 0, "\(script.output)")
      try await session.end(by: SIGINT)
    }

    /// It is for this machine's own pages, and streams what happens.
    private func page(_ session: Session) async throws {
      let page = try session.page()
      let answer = try await session.call("\(page)/").expect(200)
      let policy = try #require(answer.response.headers.first("Content-Security-Policy"))
      #expect(policy.contains("frame-ancestors 'none'"))
      let gateway = try #require(try await session.overview()["gateway"] as? String)
      #expect(policy.contains("script-src 'self' \(gateway);"))
      #expect(try await session.call("\(page)/", headers: [(name: "Host", value: "evil.example")]).status == 421)
      let foreign = [(name: "Origin", value: "http://evil.example")]
      #expect(
        try await session.call("\(page)/api/development/sends/allowance", method: "POST", headers: foreign).status
          == 403
      )
      #expect(try await session.call("\(page)/api/development/token?user=nobody").status == 404)
      #expect(try await session.call("\(page)/docs/../ca.pem").status == 404)
    }

    /// The lines with which the start ends work as they stand, in any folder.
    private func lines(_ session: Session) async throws {
      let output = try session.output()
      let lines = output.split(separator: "\n").map(String.init).filter {
        $0.hasPrefix("curl ") || $0.contains(" send --")
      }
      #expect(lines.count == 3, "\(output)")
      for line in lines {
        let said = try await CommandResult.run("/bin/sh", ["-c", "cd / && \(line)"])
        let isAccepted = said.output.contains("accepted") || said.output.contains("Accepted: request ")
        #expect(said.status == 0 && isAccepted, "\(line)\n\(said.output)")
      }
      let overview = try await session.overview()
      for (name, address) in [("API", "gateway"), ("Hub", "hub")] {
        let address = try #require(overview[address] as? String)
        #expect(output.contains(try Regex("\n  \(name) +\(address)")), "\(output)")
      }
      #expect(output.contains("/docs/\n"))
    }

    /// It may be built later: until then a page says how.
    private func documentation(_ hour: Hour, in folder: String) async throws {
      let notYet = try await hour.session.call("\(hour.session.page())/docs/").expect(404)
      #expect(String(decoding: notYet.response.body, as: UTF8.self).contains("make docs-site"))
      #expect(try await hour.session.overview()["docs"] as? Bool == false)
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Data("<!doctype html><title>Belfry</title>".utf8).write(to: URL(filePath: "\(folder)/index.html"))
      #expect(try await hour.session.overview()["docs"] as? Bool == true)
      try await eventually("the page hears of it") { try await hour.demo("state")["docs"] as? Bool == true }
      _ = try await hour.session.call("\(hour.session.page())/docs/").expect(200)
    }

    /// Tom's phone alone is FCM's: the others do not wait for it.
    private func fcmDown(_ hour: Hour) async throws {
      try await hour.turn("fcm-down", "on")
      // Again changes nothing.
      try await hour.turn("fcm-down", "on")
      let request = try await hour.send("allowance")
      try await eventually("the others have theirs, and his was refused", within: .seconds(60)) {
        let refused = try await hour.steps(request).contains {
          $0["what"] as? String == "retried" && ($0["words"] as? String)?.hasPrefix("FCM answered 503") == true
        }
        let delivered = try await hour.delivered(request, "push")
        return refused && delivered == 2
      }
      try await eventually("it waits on the ladder") { try await hour.waiting(by: "fcm") == 1 }
      try await eventually("the page says so") { try await hour.pushes(by: "fcm")["waiting"] == 1 }
      for provider in ["apns", "webPush"] { #expect(try await hour.pushes(by: provider)["waiting"] == 0) }
      #expect(try await hour.ledger("push")["waiting"] == 1)
      try await hour.turn("fcm-down", "off")
      try await hour.settled(request, within: .seconds(90))
      try await eventually("the ladder is empty") { try await hour.waiting(by: "fcm") == 0 }
      #expect(try await hour.delivered(request, "push") == 3)
    }

    /// Maria's phone is APNs', Ella's browser has the push service of its maker.
    private func othersDown(_ hour: Hour) async throws {
      for name in ["apns-down", "web-push-down"] { try await hour.turn(name, "on") }
      let request = try await hour.send("allowance")
      let refusals = ["APNs answered 503", "the push service answered 503"]
      try await eventually("his has arrived, and both others were refused", within: .seconds(60)) {
        let said = try await hour.steps(request).filter { $0["what"] as? String == "retried" }
          .compactMap { $0["words"] as? String }
        let isRefused = refusals.allSatisfy { refusal in said.contains { $0.hasPrefix(refusal) } }
        let delivered = try await hour.delivered(request, "push")
        return isRefused && delivered == 1
      }
      for provider in ["apns", "webPush"] {
        try await eventually("it waits on the ladder") { try await hour.waiting(by: provider) == 1 }
        try await eventually("the page says so") { try await hour.pushes(by: provider)["waiting"] == 1 }
      }
      for name in ["apns-down", "web-push-down"] { try await hour.turn(name, "off") }
      // They are tried again after half a minute.
      try await hour.settled(request, within: .seconds(120))
      #expect(try await hour.delivered(request, "push") == 3)
    }

    private func slowMail(_ hour: Hour) async throws {
      try await hour.turn("slow-mail", "on")
      let request = try await hour.send("allowance")
      try await hour.settled(request, within: .seconds(60))
      let arrived = try await hour.steps(request).filter { $0["what"] as? String == "delivered" }
      let mails = arrived.filter { $0["channel"] as? String == "email" }.compactMap { $0["ms"] as? Int }
      let others = arrived.filter { $0["channel"] as? String != "email" }.compactMap { $0["ms"] as? Int }
      #expect(mails.count == 3)
      #expect(mails.allSatisfy { $0 >= 5_000 }, "\(mails)")
      #expect(others.count == 6)
      #expect(others.allSatisfy { $0 < 5_000 }, "they wait for no mail: \(others)")
      try await hour.turn("slow-mail", "off")
    }

    private func kill(_ hour: Hour) async throws {
      let request = try await hour.send("burst")
      try await eventually("some have arrived") { try await hour.delivered(request, "push") > 0 }
      let isBefore = try await hour.delivered(request, "push") < 60
      #expect(isBefore, "there was time to break something")
      try await hour.turn("kill-push", "on")
      try await eventually("the dispatcher is back", within: .seconds(60)) {
        try await hour.isOn("kill-push") == false
      }
      try await hour.settled(request, within: .seconds(90))
      #expect(try await hour.delivered(request, "push") == 60)
      let services = try #require(try await hour.demo("state")["services"] as? [[String: Any]])
      let push = try #require(services.first { $0["name"] as? String == "push-1" })
      #expect(push["up"] as? Bool == true)
      #expect(push["restarts"] as? Int == 1)
    }

    private func night(_ hour: Hour) async throws {
      try await hour.turn("night", "on")
      let request = try await hour.send("reminder")
      try await eventually("it is held for her") { try await hour.trace(request)["status"] as? String == "waiting" }
      let held = try #require(try await hour.steps(request).first { $0["what"] as? String == "held" })
      #expect(held["reason"] as? String == "quietHours")
      #expect((held["words"] as? String)?.contains("07:0") == true, "\(held)")
      #expect((try await hour.demo("state")["held"] as? [Any])?.count == 1)
      let urgent = try await hour.send("urgent")
      try await hour.settled(urgent)
      #expect(try await hour.steps(urgent).filter { $0["what"] as? String == "held" }.isEmpty)
      try await hour.turn("night", "off")
      try await hour.settled(request, within: .seconds(60))
      #expect(try await hour.steps(request).contains { $0["what"] as? String == "released" })
    }

    private func reading(_ hour: Hour) async throws {
      try await hour.turn("reading", "on")
      let request = try await hour.send("chat")
      try await hour.settled(request)
      let left = try await hour.steps(request).filter { $0["reason"] as? String == "viewing" }
      #expect(left.count == 1)
      #expect(left.first?["channel"] as? String == "push")
      try await hour.turn("reading", "off")
      let next = try await hour.send("chat")
      try await hour.settled(next)
      #expect(try await hour.steps(next).filter { $0["reason"] as? String == "viewing" }.isEmpty)
    }

    private func phoneGone(_ hour: Hour) async throws {
      try await hour.turn("phone-gone", "on")
      let first = try await hour.send("allowance")
      try await eventually("his phone is removed") {
        try await hour.steps(first).contains { $0["what"] as? String == "removed" }
      }
      let second = try await hour.send("allowance")
      try await hour.settled(second)
      #expect(try await hour.steps(second).contains { $0["reason"] as? String == "noActiveDevice" })
      try await hour.turn("phone-gone", "off")
      let third = try await hour.send("allowance")
      try await hour.settled(third)
      #expect(try await hour.delivered(third, "push") == 3)
    }

    private func tap(_ hour: Hour) async throws {
      let request = try await hour.send("goal")
      try await hour.settled(request)
      let shown = try #require(try await hour.demo("send", "chat")["curl"] as? String)
      let pasted = try await hour.paste(shown)
      #expect(pasted.contains(#""status":"accepted""#), "\(shown)\n\(pasted)")
      let push = try #require(
        try await hour.steps(request).first {
          $0["channel"] as? String == "push" && $0["what"] as? String == "delivered"
        }
      )
      let id = try #require(push["notificationId"] as? String)
      #expect(try await hour.demo("tap", "ella", id, "--action", "VIEW_GOALS")["status"] as? Int == 204)
      let refused = try await CommandResult.run(
        hour.session.program,
        ["demo", "tap", "ella", id, "--action", "NO_SUCH", "--data-dir", "\(hour.session.directory)/data"]
      )
      #expect(refused.status == 1)
      #expect(refused.output.contains("Belfry refused it with 404: "), "\(refused.output)")
      #expect(try await hour.steps(request).contains { $0["what"] as? String == "acted" })
    }
  }

  /// `belfry-dev demo` against a session.
  private struct Hour {
    let session: Session

    /// What a subcommand answers.
    func demo(_ words: String...) async throws -> [String: Any] {
      let result = try await CommandResult.run(
        session.program,
        ["demo"] + words + ["--json", "--data-dir", "\(session.directory)/data"]
      )
      try #require(result.status == 0, "\(words): \(result.output)")
      return try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    }

    /// Runs a call as it is shown, in another folder than the stack's.
    func paste(_ call: String) async throws -> String {
      let folder = URL(filePath: session.program).deletingLastPathComponent().path
      return try await CommandResult.run("/bin/sh", ["-c", "cd / && PATH='\(folder)':$PATH\n\(call)"]).output
    }

    func turn(_ name: String, _ position: String) async throws {
      let answer = try await demo("switch", name, position)
      #expect(answer["on"] as? Bool == (position == "on"), "\(name)")
    }

    func isOn(_ name: String) async throws -> Bool? {
      let switches = try await demo("switch")["switches"] as? [[String: Any]]
      return switches?.first { $0["name"] as? String == name }?["on"] as? Bool
    }

    /// - Returns: The request's id.
    func send(_ name: String) async throws -> String {
      let answer = try await demo("send", name)
      let curl = try #require(answer["curl"] as? String)
      #expect(curl.contains("$TOKEN") && !curl.contains("eyJ"), "\(curl)")
      return try #require(answer["requestId"] as? String)
    }

    func trace(_ request: String) async throws -> [String: Any] {
      try #require((try await demo("trace", request)["traces"] as? [[String: Any]])?.first)
    }

    func steps(_ request: String) async throws -> [[String: Any]] {
      try #require(try await trace(request)["steps"] as? [[String: Any]])
    }

    /// How many deliveries of a request a channel's provider took.
    func delivered(_ request: String, _ channel: String) async throws -> Int {
      try await steps(request).filter { $0["what"] as? String == "delivered" && $0["channel"] as? String == channel }
        .reduce(0) { $0 + ($1["count"] as? Int ?? 1) }
    }

    func settled(_ request: String, within limit: Duration = .seconds(30)) async throws {
      try await eventually("\(request) has ended", within: limit, every: .milliseconds(200)) {
        try await trace(request)["finished"] as? Bool == true
      }
    }

    /// On all steps of the ladder of a provider's pushes.
    func waiting(by provider: String) async throws -> Int {
      let ladder = try #require(try await demo("state")["ladder"] as? [[String: Any]])
      return ladder.filter { $0["provider"] as? String == provider }.reduce(0) { $0 + ($1["waiting"] as? Int ?? 0) }
    }

    /// What is due, arrived and waits of the pushes that a provider carries.
    func pushes(by provider: String) async throws -> [String: Int] {
      try #require((try await demo("state")["pushes"] as? [String: [String: Int]])?[provider])
    }

    func ledger(_ channel: String) async throws -> [String: Int] {
      try #require((try await demo("state")["ledger"] as? [String: [String: Int]])?[channel])
    }
  }
}
