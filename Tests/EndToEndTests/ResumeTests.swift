import Foundation
import LocalStack
import NotificationModel
import Postgres
import TestSupport
import Testing

extension EndToEndTests {
  /// Whoever was away gets exactly what was missed.
  @Suite(.serialized, .timeLimit(.minutes(5))) struct ResumeTests {
    /// A minute; of a short run at least as long as it takes to kill each node once.
    private static let time = Duration.seconds(max(20, TestScope.rounds(of: 60)))

    @Test func `connections cut and nodes killed for a minute lose and double nothing`() async throws {
      try await TestStack.with { belfry in
        let people = try await people(12, of: belfry)
        let family = "family:\(UUID().lowercased)"
        let members = people.map { #""\#($0.id)""# }.joined(separator: ",")
        _ = try await belfry.call(
          "PUT",
          "/api/v1/groups/\(family)",
          token: try await belfry.serviceToken(),
          body: #"{"members":[\#(members)]}"#
        ).expect(200)
        let clients = try await ResumeClients.start(belfry, people)
        let sent = try await withThrowingTaskGroup(of: Int.self) { group in
          group.addTask { try await send(belfry, people, family, during: Self.time) }
          group.addTask { try await killNodes(belfry, during: Self.time - .seconds(5)) }
          return try await group.reduce(0, +)
        }
        try await eventually("everything is routed", within: .seconds(60)) { try await belfry.backlog() == 0 }
        var stored: [String: [Int]] = [:]
        for person in people {
          let rows = try await belfry.database.query(
            """
            SELECT seq FROM notifications
            WHERE user_id = \(person.id.uuid) AND in_app = \(InboxState.inbox.rawValue) ORDER BY seq
            """
          )
          stored[person.id.description] = try rows.map { try $0.get(0) }
        }
        let reports = try await clients.stop(at: stored.mapValues { $0.last ?? 0 })
        #expect(reports.count == people.count)
        var total = 0
        for person in people {
          let report = try #require(reports[person.id.description])
          let expected = try #require(stored[person.id.description])
          #expect(report.seqs == expected, "\(person.id): \(report.wrong)")
          #expect(report.wrong.isEmpty, "\(person.id)")
          #expect(report.connections > TestScope.rounds(of: 10) && report.live > 0 && report.resumed > 0)
          total += expected.count
        }
        #expect(total > sent)
        let connections = reports.values.reduce(0) { $0 + $1.connections }
        let resumed = reports.values.reduce(0) { $0 + $1.resumed }
        var over: [String: Int] = [:]
        for report in reports.values { over.merge(report.over, uniquingKeysWith: +) }
        #expect(over.count == 3 && over.values.allSatisfy { $0 > total / 20 }, "\(over)")
        print("\(total) notifications over \(connections) connections, \(resumed) of them by Resume: \(over)")
      }
    }

    private func people(_ count: Int, of belfry: TestStack) async throws -> [Person] {
      var people: [Person] = []
      for _ in 0..<count { people.append(try await belfry.makeUser(platforms: [])) }
      return people
    }

    /// Sends to one user, and every tenth time to all of them, some at a time.
    private func send(
      _ belfry: TestStack,
      _ people: [Person],
      _ family: String,
      during time: Duration
    ) async throws -> Int {
      let deadline = ContinuousClock.now + time
      return try await withThrowingTaskGroup(of: Int.self) { group in
        for worker in 0..<4 {
          group.addTask {
            var number = worker
            var sent = 0
            while ContinuousClock.now < deadline {
              let one = people[number % people.count].id
              let to = number % 10 == 0 ? #""group":"\#(family)""# : #""users":["\#(one)"]"#
              _ = try await belfry.send(#"{"to":{\#(to)},"type":12}"#).expect(202)
              number += 4
              sent += 1
              // Its own pace, not a wait for something.
              try await Task.sleep(for: .milliseconds(15))
            }
            return sent
          }
        }
        return try await group.reduce(0, +)
      }
    }

    private func killNodes(_ belfry: TestStack, during time: Duration) async throws -> Int {
      let deadline = ContinuousClock.now + time
      let nodes = belfry.stack.services(.inapp)
      #expect(nodes.count == 2)
      while ContinuousClock.now < deadline {
        for node in nodes {
          try await Task.sleep(for: .seconds(7))
          await node.kill()
          try await node.restart()
        }
      }
      return 0
    }
  }
}

/// The clients of Tests/Conformance/resume_client.py.
private struct ResumeClients {
  struct Report: Decodable {
    var user: String
    var seqs: [Int]
    var wrong: [String]
    var connections: Int
    var live: Int
    var resumed: Int
    /// Notifications by transport.
    var over: [String: Int]
  }

  private struct Account: Encodable {
    var user: String
    var token: String
  }

  /// Ends with this value, and so with the test.
  private let script: ScriptProcess
  private let stopFile: URL

  static func start(_ belfry: TestStack, _ people: [Person]) async throws -> ResumeClients {
    let directory = FileManager.default.temporaryDirectory.appending(path: "belfry-resume-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    Cleanup.remove(directory.path)
    let accounts = people.map { Account(user: $0.id.description, token: $0.token) }
    try JSONEncoder().encode(accounts).write(to: directory.appending(path: "clients.json"))
    let urls = belfry.stack.services(.inapp).map { "http://127.0.0.1:\($0.port)/hubs/notifications" }
    let stopFile = directory.appending(path: "stop")
    let script = try ScriptProcess(
      "Tests/Conformance/resume_client.py",
      [
        "--urls", urls.joined(separator: ","), "--clients", directory.appending(path: "clients.json").path,
        "--stop", stopFile.path,
      ]
    )
    try await eventually("the clients run") { try !script.events("started").isEmpty }
    return ResumeClients(script: script, stopFile: stopFile)
  }

  /// Lets each client come to the end of its inbox, given by user; answers what each has got.
  func stop(at ends: [String: Int]) async throws -> [String: Report] {
    try JSONEncoder().encode(ends).write(to: stopFile, options: .atomic)
    let status = await script.waitForExit(within: .seconds(60))
    try #require(status == 0, "\(script.output.suffix(2_000))")
    var reports: [String: Report] = [:]
    for line in try script.lines() where line["seqs"] != nil {
      let report = try JSONDecoder().decode(Report.self, from: JSONSerialization.data(withJSONObject: line))
      reports[report.user] = report
    }
    return reports
  }
}
