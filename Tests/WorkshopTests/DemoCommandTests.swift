import ArgumentParser
import Testing
import TestSupport

@testable import Workshop

/// `belfry-dev demo`: from a terminal what the page does.
@Suite struct DemoCommandTests {
  private func run(
    _ arguments: [String],
    _ reply: @escaping @Sendable (StubGateway.Question) -> StubGateway.Answer
  ) async throws -> (run: CommandRun, asked: [StubGateway.Question]) {
    var outcome: CommandRun?
    var asked: [StubGateway.Question] = []
    try await StubGateway.with(reply) { page in
      outcome = try await CommandRun.run(["demo"] + arguments + ["--page", page.url], of: WorkshopCommand.self)
      asked = page.asked
    }
    return (try #require(outcome), asked)
  }

  @Test func `a send shows its call and how to follow it`() async throws {
    let (run, asked) = try await run(["send", "allowance"]) { _ in
      .init(
        body:
          #"{"requestId":"r","name":"allowance","curl":"curl -sS \\\n  -d '{}'","status":202,"answer":{"requestId":"r"}}"#
      )
    }
    #expect(run.failure == nil)
    #expect(asked.map(\.line) == ["POST /api/development/sends/allowance"])
    let follow = try #require(run.lines.last)
    #expect(run.lines.dropLast() == ["curl -sS \\", "  -d '{}'", "", #"202 {"requestId":"r"}"#])
    // Copied, it asks the same page.
    #expect(follow.hasPrefix("belfry-dev demo trace r --page http://127.0.0.1:"), "\(follow)")
  }

  @Test func `a switch is set, and says what follows`() async throws {
    let (run, asked) = try await run(["switch", "fcm-down", "on"]) { _ in
      .init(body: #"{"name":"fcm-down","on":true,"effect":"Pushes wait."}"#)
    }
    #expect(asked.map(\.line) == ["PUT /api/development/switches/fcm-down"])
    #expect(asked.first?.body == #"{"on":true}"#)
    #expect(run.lines == ["fcm-down is on. Pushes wait."])
  }

  @Test func `switches are listed`() async throws {
    let (run, _) = try await run(["switch"]) { _ in
      .init(body: #"{"switches":[{"name":"fcm-down","words":"Down.","on":false}]}"#)
    }
    #expect(run.cells == [["name", "now", "what"], ["fcm-down", "off", "Down."]])
  }

  @Test func `the state shows only what is to be shown`() async throws {
    let (run, _) = try await run(["state"]) { _ in
      .init(
        body: #"""
          {"ledger":{"push":{"due":3,"arrived":1,"waiting":2,"refused":0,"leftOut":4,"twice":0}},
           "ladder":[{"channel":"push","step":"1 s","waiting":0},{"channel":"push","step":"10 s","waiting":2}],
           "held":[],"dead":[{"name":"push","waiting":0}],"services":[{"name":"push-1","up":false,"restarts":1}]}
          """#
      )
    }
    #expect(
      run.cells.filter { !$0.isEmpty } == [
        ["channel", "due", "arrived", "waiting", "refused", "left out", "twice"],
        ["push", "3", "1", "2", "0", "4", "0"],
        ["tried again", "after", "waiting"], ["push", "10 s", "2"], ["service", "now", "restarts"],
        ["push-1", "down", "1"],
      ]
    )
  }

  @Test func `while pushes wait for one provider, the state shows that the others do not`() async throws {
    let (run, _) = try await run(["state"]) { _ in
      .init(
        body: #"""
          {"ledger":{},"pushes":{
            "fcm":{"due":1,"arrived":0,"waiting":1,"refused":0,"leftOut":0,"twice":0},
            "apns":{"due":1,"arrived":1,"waiting":0,"refused":0,"leftOut":0,"twice":0}},
           "ladder":[{"channel":"push","provider":"fcm","step":"10 s","waiting":1},
                     {"channel":"email","provider":null,"step":"10 s","waiting":2},
                     {"channel":"email","provider":null,"stream":"bulk","step":"10 s","waiting":3}],
           "held":[],"dead":[],"services":[]}
          """#
      )
    }
    let cells = run.cells.filter { !$0.isEmpty }
    #expect(cells.contains(["pushes by", "due", "arrived", "waiting", "refused", "left out", "twice"]))
    #expect(cells.contains(["FCM", "1", "0", "1", "0", "0", "0"]))
    #expect(cells.contains(["APNs", "1", "1", "0", "0", "0", "0"]))
    #expect(cells.contains(["push by FCM", "10 s", "1"]) && cells.contains(["email", "10 s", "2"]))
    #expect(cells.contains(["bulk email", "10 s", "3"]))
  }

  @Test func `a tap goes to the phone's owner`() async throws {
    let id = "01a1fca2-310f-7929-a921-a980b62c7fa3"
    let (_, asked) = try await run(["tap", "Ella", id, "--action", "VIEW_GOALS"]) { _ in .init(body: #"{"status":204}"#)
    }
    #expect(
      asked.first?.body == #"{"user":"\#(DemoFamily.ella.id)","notificationId":"\#(id)","action":"VIEW_GOALS"}"#
    )
  }

  @Test func `what Belfry refuses is a failure, with its reason`() async throws {
    let id = "01a1fca2-310f-7929-a921-a980b62c7fa3"
    let (run, _) = try await run(["tap", "Ella", id]) { _ in
      .init(body: #"{"status":404,"curl":"curl …","answer":{"detail":"There is no such notification."}}"#)
    }
    #expect(run.failure == "Belfry refused it with 404: There is no such notification.")
  }

  @Test func `a trace that is not there is a failure`() async throws {
    let (run, _) = try await run(["trace", "01a1fca2-310f-7929-a921-a980b62c7fa3"]) { _ in
      .init(body: #"{"traces":[]}"#)
    }
    #expect(run.failure?.hasPrefix("There is no such send") == true)
  }

  @Test func `the latest pushes are found behind the oldest`() async throws {
    let (run, asked) = try await run(["pushes", "--limit", "1"]) { question in
      let isFirst = question.path.hasSuffix("after=0")
      let numbers = isFirst ? Array(1...500) : [501]
      guard question.path.hasPrefix("/api/pushes") else { return .init(body: #"{"pushes":[]}"#) }
      let pushes = numbers.map { #"{"sequence":\#($0),"token":"demo-device-tom","notificationId":"n\#($0)"}"# }
      return .init(body: #"{"pushes":[\#(pushes.joined(separator: ","))]}"#)
    }
    #expect(
      asked.map(\.line) == [
        "GET /api/pushes?limit=500&after=0", "GET /api/pushes?limit=500&after=500", "GET /api/apns?limit=500&after=0",
        "GET /api/webpush?limit=500&after=0",
      ]
    )
    #expect(run.cells.last == ["-", "Tom", "FCM", "-", "n501"])
  }

  @Test func `pushes of all providers are listed as they came, with whose they are`() async throws {
    let token = DemoFamily.maria.nativeToken
    let (run, asked) = try await run(["pushes", "--limit", "2"]) { question in
      if question.path.hasPrefix("/api/development") {
        return .init(body: #"{"people":[{"name":"Ella","pushAddress":"https://localhost:1/push/a"}]}"#)
      }
      let first = #""sequence":1,"notificationId":"n","receivedAt":"2027-01-01T00:00:0"#
      let push =
        if question.path.hasPrefix("/api/pushes") {
          #"{\#(first)1.000Z","token":"demo-device-tom","message":{"notification":{"title":"Hello"}}}"#
        } else if question.path.hasPrefix("/api/apns") {
          #"{\#(first)3.000Z","token":"\#(token)","payload":{"aps":{"alert":{"title":"Hello"}}}}"#
        } else {
          #"{\#(first)2.000Z","endpoint":"https://localhost:1/push/a","message":{"notification":{"title":"Hello"}}}"#
        }
      return .init(body: #"{"pushes":[\#(push)]}"#)
    }
    #expect(asked.last?.line == "GET /api/development")
    #expect(
      run.cells == [
        ["at", "for", "by", "title", "notification"],
        ["2027-01-01T00:00:02.000Z", "Ella", "Web Push", "Hello", "n"],
        ["2027-01-01T00:00:03.000Z", "Maria", "APNs", "Hello", "n"],
      ]
    )
  }

  @Test func `a refusal is shown in its own words`() async throws {
    let (run, _) = try await run(["state"]) { _ in .init(status: 503, body: #"{"detail":"It is away."}"#) }
    #expect(run.failure == "It is away.")
  }

  @Test func `a call is shown with the command that makes its token, and without one`() {
    let call = #"""
      TOKEN=$(belfry token --role service)
      curl -sS http://127.0.0.1:1/a \
        -H "Authorization: Bearer $TOKEN" \
        -H 'Content-Type: application/json' \
        -d '{"a":"it'\''s"}'
      """#
    #expect(Curl.command("POST", "http://127.0.0.1:1/a", token: "--role service", body: #"{"a":"it's"}"#) == call)
  }

  @Test func `JSON is the answer as it is`() async throws {
    let (run, _) = try await run(["trace", "--json"]) { _ in .init(body: #"{"traces":[]}"#) }
    #expect(run.lines == [#"{"traces":[]}"#])
  }

  @Test(arguments: [
    ["send"], ["send", "no/thing"], ["send", "chat", "--list"], ["switch", "fcm-down"], ["switch", "nothing", "on"],
    ["tap", "nobody", "x"],
    ["trace", "x"], ["trace", "--limit", "0"], ["pushes", "--limit", "0"],
  ])
  func `what cannot be meant is refused`(_ words: [String]) {
    #expect(throws: (any Error).self) { _ = try WorkshopCommand.parseAsRoot(["demo"] + words) }
  }

  @Test func `alone it makes the family, as before`() throws {
    #expect(try WorkshopCommand.parseAsRoot(["demo", "--gateway", "http://127.0.0.1:1"]) is DemoFamilyCommand)
  }
}
