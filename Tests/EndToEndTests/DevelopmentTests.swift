import Foundation
import Glibc
import LocalStack
import Logging
import TestSupport
import Testing
import Transport

extension EndToEndTests {
  /// `belfry-dev run`, which `make run` and `make demo` are.
  @Suite(.serialized, .timeLimit(.minutes(5))) struct DevelopmentTests {
    @Test func `the demonstration reports what did not arrive, and fails`() async throws {
      let result = try await CommandResult.run(BelfryPrograms.own().workshop, ["run", "--once", "--scale", "email=0"])
      // It keeps the logs of a check that failed, and says where.
      let directory = try #require(result.output.firstMatch(of: /Starting Belfry in ([^\n]+)/)?.1, "\(result.output)")
      defer { Cleanup.removeNow(String(directory)) }
      #expect(FileManager.default.fileExists(atPath: "\(directory)/logs"))
      let lines = result.output.split(separator: "\n")
      #expect(result.status == 1, "\(result.output)")
      #expect(lines.contains { $0.contains("push") && $0.contains("(3 of 3)") }, "\(result.output)")
      #expect(lines.contains { $0.contains("in-app") && $0.contains("(3 of 3)") })
      #expect(lines.contains { $0.contains("email") && $0.contains("(0 of 3)") })
      #expect(result.output.contains("Not everything arrived. Logs: "))
    }

    @Test func `a check that is interrupted leaves nothing behind`() async throws {
      let log = FileManager.default.temporaryDirectory.appending(path: "belfry-once-\(UUID().uuidString).log").path
      defer { Cleanup.removeNow(log) }
      let process = try LocalProcess.spawn(
        executable: BelfryPrograms.own().workshop,
        arguments: ["run", "--once"],
        environment: LocalProcess.inheritedEnvironment,
        logFile: log
      )
      func directory() throws -> String? {
        let output = try String(contentsOfFile: log, encoding: .utf8)
        return output.firstMatch(of: /Starting Belfry in ([^\n]+)\n/).map { String($0.1) }
      }
      try await eventually("the check has begun") { try directory() != nil }
      process.signal(SIGINT)
      #expect(await process.waitForExit() == 1)
      #expect(!FileManager.default.fileExists(atPath: try #require(try directory())))
    }

    @Test func `Ctrl-C stops everything, and the next start keeps the data`() async throws {
      let directory = FileManager.default.temporaryDirectory.appending(path: "belfry-dev-\(UUID().uuidString)").path
      defer { Cleanup.removeNow(directory) }
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      let first = try await Session.start(in: directory)
      let before = try await first.notifications()
      #expect(before.count == 1, "the first notification")
      try await first.end(by: SIGINT)
      #expect(try first.output().contains("Stopped."))
      #expect(try await Self.processes(of: directory) == "", "nothing is left running")
      // The broker of a release before had no password of its own.
      try FileManager.default.removeItem(atPath: "\(directory)/data/rabbitmq/password")

      let second = try await Session.start(in: directory)
      let after = try await second.notifications()
      #expect(after.count == 2)
      #expect(Set(before).isSubset(of: after), "what was there is there still")
      try await second.end(by: SIGTERM)
      #expect(try await Self.processes(of: directory) == "")
    }

    @Test func `settings of the environment reach the services, and the start names them`() async throws {
      let directory = FileManager.default.temporaryDirectory.appending(path: "belfry-dev-\(UUID().uuidString)").path
      defer { Cleanup.removeNow(directory) }
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      let page = "http://localhost:5173"
      let session = try await Session.start(
        in: directory,
        settings: ["BELFRY_INAPP_ALLOWED_ORIGINS": page, "BELFRY_DATABASE_URL": "postgresql://nowhere.invalid/x"]
      )
      let output = try session.output()
      #expect(output.contains("Passed on to the services: BELFRY_INAPP_ALLOWED_ORIGINS\n"), "\(output)")
      #expect(output.contains("Not passed on, for the stack decides: BELFRY_DATABASE_URL\n"), "\(output)")
      let answer = try await session.call("OPTIONS", hub: "/negotiate", headers: [(name: "Origin", value: page)])
      #expect(answer.response.headers.first("Access-Control-Allow-Origin") == page)
      try await session.end(by: SIGINT)
    }

    @Test func `a catalogue that is not good is refused before anything starts`() async throws {
      let directory = FileManager.default.temporaryDirectory.appending(path: "belfry-dev-\(UUID().uuidString)").path
      defer { Cleanup.removeNow(directory) }
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      let file = "\(directory)/shop.yaml"
      try Data("version: 1\ntypes: [{ code: 0, name: Shipped, category: Orders }]\n".utf8).write(
        to: URL(filePath: file)
      )
      let result = try await CommandResult.run(
        BelfryPrograms.own().workshop,
        ["run", "--catalogue", file, "--data-dir", "\(directory)/data"]
      )
      #expect(result.status == 1)
      #expect(result.output.contains("\(file)"), "\(result.output)")
      #expect(result.output.contains("Nothing was started"), "\(result.output)")
      #expect(!FileManager.default.fileExists(atPath: "\(directory)/data"))
    }

    @Test func `a catalogue of one's own is applied, and the page is about it, at the next start too`() async throws {
      let directory = FileManager.default.temporaryDirectory.appending(path: "belfry-dev-\(UUID().uuidString)").path
      defer { Cleanup.removeNow(directory) }
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      let file = "\(directory)/shop.yaml"
      try Data(Self.shop.utf8).write(to: URL(filePath: file))
      for arguments in [["--catalogue", file], ["--catalogue", file], []] {
        let session = try await Session.start(in: directory, arguments: arguments)
        let output = try session.output()
        if !arguments.isEmpty { #expect(output.contains("catalogue \(file) is version 1\n"), "\(output)") }
        let overview = try await session.overview()
        let people = try #require(overview["people"] as? [[String: Any]])
        #expect(people.compactMap { $0["name"] as? String } == ["Alex", "Kim", "Robin"])
        let sends = try #require(overview["sends"] as? [[String: Any]])
        #expect(sends.compactMap { $0["name"] as? String } == ["order-shipped", "burst"])
        let data = ["demo", "send", "order-shipped", "--json", "--data-dir", "\(directory)/data"]
        let sent = try await CommandResult.run(session.program, data)
        #expect(sent.status == 0, "\(sent.output)")
        #expect(try await session.notifications().isEmpty == false)
        try await session.end(by: SIGINT)
      }
    }

    private static let shop = """
      version: 1
      defaults:
        channels: { inApp: true, push: true }
        priority: normal
        timeToLiveDays: 7
        title: Notification
        body: You have a new notification
      types:
        - { code: 2001, name: OrderShipped, category: Orders, title: Your order, body: It is on its way }

      """

    /// Command lines that name the directory.
    private static func processes(of directory: String) async throws -> String {
      try await CommandResult.run("pgrep", ["--full", "--list-full", directory]).output
    }
  }

  /// A running `belfry-dev run`.
  struct Session {
    let program: String
    let directory: String
    let process: LocalProcess
    let log: String

    static func start(
      in directory: String,
      settings: [String: String] = [:],
      arguments: [String] = []
    ) async throws -> Session {
      let program = try BelfryPrograms.own().workshop
      let log = "\(directory)/output.log"
      try? FileManager.default.removeItem(atPath: log)  // there is none the first time
      let process = try LocalProcess.spawn(
        executable: program,
        arguments: ["run", "--data-dir", "\(directory)/data", "--port", "\(try FreePort.find())"] + arguments,
        environment: LocalProcess.inheritedEnvironment.merging(settings) { $1 },
        logFile: log
      )
      let session = Session(program: program, directory: directory, process: process, log: log)
      try await eventually("it is ready", within: .seconds(90), every: .milliseconds(200)) {
        try session.output().contains("Ctrl-C stops it") || !process.isRunning
      }
      let output = try session.output()
      try #require(process.isRunning, "\(output)")
      return session
    }

    func output() throws -> String { try String(contentsOfFile: log, encoding: .utf8) }

    /// The page's address, which the start ends with.
    func page() throws -> String {
      String(try #require(try output().firstMatch(of: /Open (http:\/\/127\.0\.0\.1:[0-9]+)\//)).1)
    }

    /// Calls an address.
    func call(
      _ url: String,
      method: String = "GET",
      headers: [(name: String, value: String)] = []
    ) async throws -> Answer {
      let client = HTTPClient(configuration: HTTPClientConfiguration(), logger: Logger(label: "test"))
      let answer = Answer(try await client.send(HTTPRequest(method: method, url: url, headers: headers)))
      await client.close()
      return answer
    }

    /// What the page is notified of.
    func overview() async throws -> [String: Any] {
      try await call("\(page())/api/development").expect(200).json
    }

    /// Calls the hub, whose address the page gives.
    func call(_ method: String, hub path: String, headers: [(name: String, value: String)]) async throws -> Answer {
      let url = try #require(try await overview()["hub"] as? String)
      return try await call("\(url)\(path)", method: method, headers: headers)
    }

    /// Ids of Maria's notifications, asked for as her app does.
    func notifications() async throws -> [String] {
      let overview = try await overview()
      let url = try #require(overview["gateway"] as? String)
      let token = try #require((overview["people"] as? [[String: Any]])?.first?["token"] as? String)
      let answer = try await call(
        "\(url)/api/v1/notifications",
        headers: [(name: "Authorization", value: "Bearer \(token)")]
      )
      return try answer.expect(200).list("notifications").compactMap { $0["id"] as? String }
    }

    /// Ends it as people do; what it said is shown if that fails.
    func end(by signal: Int32) async throws {
      process.signal(signal)
      let status = await process.waitForExit()
      let said = try output().suffix(2_000)
      #expect(status == 0, "\(said)")
    }
  }
}
