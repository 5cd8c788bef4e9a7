import ConsoleCommands
import Foundation
import BelfryJSON
import Testing
import TestSupport

@testable import OperatorCLI

/// `belfry groups`
@Suite struct GroupCommandTests {
  private static let ann = "6f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a5b"
  private static let ben = "7f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a5b"
  private static let group = #"{"id":"family:1","memberCount":2}"#

  private static func page(_ members: String..., hasMore: Bool) -> String {
    let list = members.map { "\"\($0)\"" }.joined(separator: ",")
    return #"{"id":"family:1","memberCount":2,"members":[\#(list)],"hasMore":\#(hasMore)}"#
  }

  @Test func `all members come page by page, and a page says how to go on`() async throws {
    try await StubGateway.with { question in
      .init(
        body: question.path.contains("after=")
          ? Self.page(Self.ben, hasMore: false) : Self.page(Self.ann, hasMore: true)
      )
    } _: { gateway in
      let all = try await CommandRun.run(["groups", "members", "family:1/a b"], at: gateway)
      #expect(all.failure == nil && all.lines == [Self.ann, Self.ben])
      let path = "GET /api/v1/groups/family%3A1%2Fa%20b?pageSize=1000"
      #expect(gateway.asked.map(\.line) == [path, "\(path)&after=\(Self.ann)"])
      let json = try await CommandRun.run(["groups", "members", "family:1", "--json"], at: gateway)
      #expect(json.lines == [Self.page(Self.ann, hasMore: true), Self.page(Self.ben, hasMore: false)])
      let first = try await CommandRun.run(["groups", "show", "family:1", "--limit", "1"], at: gateway)
      #expect(first.lines == ["family:1: 2 members", "  \(Self.ann)", "There are more: --after \(Self.ann)"])
      let last = try await CommandRun.run(["groups", "show", "family:1", "--after", Self.ann], at: gateway)
      #expect(last.lines == ["family:1: 2 members", "  \(Self.ben)"])
    }
  }

  @Test func `a file or standard input becomes the members, as they were printed`() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "belfry-members-\(UUID()).txt").path
    defer { try? FileManager.default.removeItem(atPath: file) }
    let text = "# the family\r\n\(Self.ann.uppercased())\r\n\n  \(Self.ben) # Ben"
    try Data(text.utf8).write(to: URL(filePath: file))
    try await StubGateway.with { _ in
      .init(body: Self.group)
    } _: { gateway in
      for run in [
        try await CommandRun.run(["groups", "put", "family:1", file], at: gateway),
        try await CommandRun.run(["groups", "put", "family:1"], at: gateway, input: text),
        try await CommandRun.run(["groups", "add", "family:1", "--from", "-"], at: gateway, input: text),
        try await CommandRun.run(["groups", "add", "family:1", Self.ann, Self.ben], at: gateway),
      ] { #expect(run.lines == ["family:1: 2 members"], "\(run)") }
      let put = "PUT /api/v1/groups/family%3A1"
      let add = "POST /api/v1/groups/family%3A1/members"
      #expect(gateway.asked.map(\.line) == [put, put, add, add])
      let body = #"{"members":["\#(Self.ann)","\#(Self.ben)"]}"#
      #expect(gateway.asked.allSatisfy { $0.body == body && $0.headers["content-type"] == "application/json" })
    }
  }

  @Test func `more members than one call takes come in several, the first of which replaces`() async throws {
    let count = MemberList.batch + 1
    let lines = (0..<count).map { number in
      String(format: "00000000-0000-4000-8000-%012x", number)
    }
    let file = FileManager.default.temporaryDirectory.appending(path: "belfry-members-\(UUID()).txt").path
    defer { try? FileManager.default.removeItem(atPath: file) }
    try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: file))
    try await StubGateway.with { _ in
      .init(body: Self.group)
    } _: { gateway in
      #expect(try await CommandRun.run(["groups", "put", "g", file], at: gateway).failure == nil)
      #expect(gateway.asked.map(\.line) == ["PUT /api/v1/groups/g", "POST /api/v1/groups/g/members"])
      let sent = try gateway.asked.flatMap { try JSONParser.parse(Array($0.body.utf8))["members"]?.array ?? [] }
      #expect(sent.map(\.shown) == lines)
    }
  }

  @Test(arguments: [
    ("a\tb\n\(ann)\n", "line 1: 'a\\tb' is no user id"), ("\(ann)\n" + String(repeating: "a", count: 129), "line 2: "),
    ("# none\n\n", "nobody"),
  ])
  func `a wrong file is reported by its lines, and nothing is sent`(_ text: String, _ words: String) async throws {
    try await StubGateway.with { _ in
      .init(body: Self.group)
    } _: { gateway in
      for command in [["groups", "put", "g"], ["groups", "add", "g", "--from", "-"]] {
        let run = try await CommandRun.run(command, at: gateway, input: text)
        #expect(run.failure?.contains(words) == true, "\(run)")
      }
      let many = try await CommandRun.run(
        ["groups", "put", "g"],
        at: gateway,
        input: String(repeating: "a\tb\n", count: 50)
      )
      #expect(many.failure?.split(separator: "\n").count == 11)
      #expect(try await CommandRun.run(["groups", "put", "g", "/nowhere.txt"], at: gateway).failure != nil)
      #expect(gateway.asked.isEmpty)
    }
  }

  @Test func `a file that is not in UTF-8 is reported by its lines, and a byte order mark is nobody's name`()
    async throws
  {
    let file = FileManager.default.temporaryDirectory.appending(path: "belfry-members-\(UUID()).txt").path
    defer { try? FileManager.default.removeItem(atPath: file) }
    try await StubGateway.with { _ in
      .init(body: Self.group)
    } _: { gateway in
      try Data([UInt8]("ben\nM".utf8) + [0xFC] + [UInt8]("ller\nM".utf8) + [0xF6] + [UInt8]("ller\n".utf8))
        .write(to: URL(filePath: file))
      for command in [["groups", "put", "g", file], ["groups", "add", "g", "--from", file]] {
        let failure = try #require(try await CommandRun.run(command, at: gateway).failure)
        #expect(failure.contains("line 2: ") && failure.contains("line 3: ") && failure.contains("is not in UTF-8"))
        #expect(!failure.contains("line 1: "))
      }
      #expect(gateway.asked.isEmpty)
      try Data([0xEF, 0xBB, 0xBF] + [UInt8]("ann\r\nMüller\n".utf8)).write(to: URL(filePath: file))
      #expect(try await CommandRun.run(["groups", "put", "g", file], at: gateway).failure == nil)
      #expect(gateway.asked.map(\.body) == [#"{"members":["ann","Müller"]}"#])
    }
  }

  @Test func `a file's ids are any texts, and only a # that nothing stands before begins a comment`() async throws {
    try await StubGateway.with { _ in
      .init(body: Self.group)
    } _: { gateway in
      let file = "shop/Käthe 7 # the first\n# none\n shop#7\t# \n\(Self.ann.uppercased())\n"
      #expect(try await CommandRun.run(["groups", "put", "g"], at: gateway, input: file).failure == nil)
      #expect(try await CommandRun.run(["groups", "remove", "g", "shop/Käthe 7"], at: gateway).failure == nil)
      let sent = try JSONParser.parse(Array(gateway.asked[0].body.utf8))["members"]?.array
      #expect(sent?.map(\.shown) == ["shop/Käthe 7", "shop#7", Self.ann])
      #expect(gateway.asked[1].line == "DELETE /api/v1/groups/g/members/shop%2FK%C3%A4the%207")
    }
  }

  @Test func `members are removed one by one, and a group is deleted by who says so`() async throws {
    try await StubGateway.with { _ in
      .init(status: 204, body: "")
    } _: { gateway in
      let removed = try await CommandRun.run(["groups", "remove", "g", Self.ann, Self.ben], at: gateway)
      #expect(removed.lines == ["2 removed from g."])
      #expect(try await CommandRun.run(["groups", "delete", "g"], at: gateway, answer: "no").failure != nil)
      #expect(try await CommandRun.run(["groups", "delete", "g", "--yes"], at: gateway).lines == ["g is deleted."])
      let group = "DELETE /api/v1/groups/g"
      #expect(
        gateway.asked.map(\.line) == ["\(group)/members/\(Self.ann)", "\(group)/members/\(Self.ben)", group]
      )
    }
  }

  @Test(arguments: [
    ["groups", "show", ""], ["groups", "add", "g"], ["groups", "add", "g", ann, "--from", "f"],
    ["groups", "remove", "g"],
    ["groups", "show", "g", "--limit", "1001"], ["groups", "delete", ""], ["groups", "add", "g", "M\u{FFFD}ller"],
  ])
  func `what cannot be asked is refused before anybody is asked`(_ arguments: [String]) async {
    await #expect(throws: (any Error).self) { _ = try await CommandRun.run(arguments) }
  }
}
