import Foundation
import LocalStack
import NotificationModel
import TestSupport
import Testing
import Transport

extension EndToEndTests {
  @Suite(.serialized) struct CommandLineTests {
    @Test func `help names every command, and a wrong one is refused`() async throws {
      try await TestStack.with { belfry in
        let help = try await belfry.belfry(["--help"])
        #expect(help.status == 0)
        for command in [
          "migrate", "completion", "send", "types", "schedules", "users", "groups", "devices", "export", "erase",
          "explain", "find", "stats", "dead", "check", "token", "keys",
        ] { #expect(help.output.contains("\n  \(command) "), "\(command)") }
        for name in ["dev", "demo"] {
          #expect(!help.output.contains("\n  \(name) "))
          let moved = try await belfry.belfry([name, "--help"])
          #expect(moved.status == 64)
          #expect(moved.output.contains("moved to belfry-dev: 'belfry-dev "), "\(moved.output)")
        }
        let wrong = try await belfry.belfry(["sned"])
        #expect(wrong.status != 0)
        #expect(wrong.output.contains("sned"))
        for service in BelfryService.allCases {
          let program = belfry.stack.program(of: service)
          let help = try await CommandResult.run(program, ["--help"])
          #expect(help.status == 0)
          #expect(help.output.contains("BELFRY_BROKER_URL"))
          let start = try await CommandResult.run(program, [], environment: ["BELFRY_BROKER_URL": "http://wrong"])
          #expect(start.status == 1)
          #expect(start.output.split(separator: "\n").count == 1, "\(start.output)")
          #expect(start.output.contains("BELFRY_BROKER_URL"))
        }
      }
    }

    @Test func `check push says what FCM and APNs take, pushes nothing, and fails if one does not`() async throws {
      try await TestStack.with { belfry in
        let folder = belfry.stack.simulatorDirectory
        let variables = [
          "BELFRY_PUSH_PROVIDERS": "FCM, apns",
          "BELFRY_PUSH_SERVICE_ACCOUNT_FILE": "\(folder)/service-account.json",
          "BELFRY_PUSH_ENDPOINT": "https://localhost:\(belfry.stack.fcmPort)",
          "BELFRY_PUSH_CA_FILE": "\(folder)/ca.pem",
          "BELFRY_PUSH_APNS_TEAM_ID": "BELFRYTEAM",
          "BELFRY_PUSH_APNS_TOPIC": "com.example.belfry",
          "BELFRY_PUSH_APNS_ENDPOINT": "https://localhost:\(belfry.stack.apnsPort)",
          "BELFRY_PUSH_APNS_KEY_FILE": "\(folder)/apns-production.p8",
          "BELFRY_PUSH_APNS_KEY_ID": "PRODUCTION",
          "BELFRY_PUSH_APNS_CA_FILE": "\(folder)/ca.pem",
        ]
        let good = try await belfry.belfry(["check", "push"], variables: variables)
        #expect(good.status == 0, "\(good.output)")
        #expect(good.output.contains("fcm: ok: FCM takes pushes of the project "), "\(good.output)")
        #expect(good.output.contains("apns: ok: production: APNs takes the key and the team"), "\(good.output)")
        let wrong = variables.merging(["BELFRY_PUSH_APNS_TEAM_ID": "OTHERTEAM0"]) { $1 }
        let bad = try await belfry.belfry(["check", "push"], variables: wrong)
        #expect(bad.status == 1, "\(bad.output)")
        #expect(bad.output.contains("apns: FAILED: production: APNs says InvalidProviderToken"), "\(bad.output)")
        #expect(bad.output.contains("fcm: ok: FCM takes pushes"), "\(bad.output)")
      }
    }

    @Test func `the product is no simulator, by whatever name it is called`() async throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: "belfry-names-\(UUID().uuidString)").path
      defer { Cleanup.removeNow(folder) }
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let link = "\(folder)/belfry-simulator"
      let programs = try BelfryPrograms.own()
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: programs.product)
      let refused = try await CommandResult.run(link, ["--help"])
      #expect(refused.status == 64)
      #expect(refused.output.contains("make that name a link to belfry-dev"), "\(refused.output)")
      try FileManager.default.removeItem(atPath: link)
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: programs.workshop)
      let help = try await CommandResult.run(link, ["--help"])
      #expect(help.status == 0)
      #expect(help.output.contains("BELFRY_SIMULATOR_DATA_DIR"), "\(help.output)")
    }

    @Test func `types lists the catalogue, migrate finds nothing to do, token and send work against a running stack`()
      async throws
    {
      try await TestStack.with { belfry in
        let types = try await belfry.belfry(["types"])
        #expect(types.status == 0)
        for type in try Catalogue().types { #expect(types.output.contains(type.name)) }
        #expect(try await belfry.belfry(["migrate"]).status == 0)
        let ann = try await belfry.makeUser()
        let token = try await belfry.belfry(["token", "--user", ann.id.description])
        #expect(token.status == 0, "\(token.output)")
        let jwt = token.output.trimmingCharacters(in: .whitespacesAndNewlines)
        _ = try await belfry.call("GET", "/api/v1/notifications", token: jwt).expect(200)
        let sent = try await belfry.belfry(["send", "--to", ann.id.description, "--type", "AllowanceResumed"])
        #expect(sent.status == 0, "\(sent.output)")
        try await eventually("it arrived") { try await belfry.pushes(to: ann.devices[0]).count == 1 }
      }
    }

    @Test func `explain says what would become of a notification and what became of it, as the router decided`()
      async throws
    {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser()
        let id = ann.id.description
        let would = try await belfry.belfry(["explain", "send", id, "AllowanceResumed", "--trace"])
        #expect(would.status == 0, "\(would.output)")
        #expect(would.output.contains("\n  push sent at once\n  email left out: "), "\(would.output)")
        #expect(would.output.contains("preference"))
        #expect(
          try await belfry.belfry(["explain", "history", id]).output
            == "\(id) has no notifications, or has them no longer. `belfry explain send \(id) TYPE` tells what would come.\n"
        )
        #expect(!would.output.contains("no profile"))
        let stranger = try await belfry.belfry(["explain", "send", UUID().uuidString, "AllowanceResumed"])
        #expect(
          stranger.status == 0 && stranger.output.contains("There is no profile with this id"),
          "\(stranger.output)"
        )
        #expect(try await belfry.belfry(["send", "--to", id, "--type", "AllowanceResumed"]).status == 0)
        try await eventually("its outcome is known") {
          try await belfry.belfry(["explain", "history", id]).output.contains("push delivered to its only target")
        }
        let did = try await belfry.belfry(["explain", "history", id])
        #expect(
          did.output.contains("in-app in the inbox since ") && did.output.contains(": accepted by the provider at ")
        )
        let json = try await belfry.belfry(["explain", "history", id, "--json"])
        let answer = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
        let notification = try #require((answer["notifications"] as? [[String: Any]])?.first?["id"] as? String)
        let one = try await belfry.belfry(["explain", "history", id, notification])
        #expect(one.output == did.output)
        let other = try await belfry.belfry(["explain", "history", UUID().uuidString, notification])
        #expect(other.status == 1 && other.output.contains("has no notification \(notification)"), "\(other.output)")
      }
    }

    @Test func `explain says which rules an event sets off, and refuses who is no admin`() async throws {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser(platforms: [])
        let event = ["explain", "event", "BalanceUpdated", "--payload"]
        let fired = try await belfry.belfry(event + [#"{"childId":"\#(ann.id)","newBalance":8,"previousBalance":12}"#])
        #expect(fired.status == 0, "\(fired.output)")
        #expect(fired.output.contains("  LowBalanceWarning to \(ann.id)"), "\(fired.output)")
        let silent = try await belfry.belfry(
          event + [#"{"childId":"\#(ann.id)","newBalance":12,"previousBalance":15}"#]
        )
        #expect(silent.output.contains("low-balance did not fire: from 15 to 12 does not cross 10"), "\(silent.output)")
        let service = try await belfry.serviceToken()
        let refused = try await belfry.belfry(["explain", "history", ann.id.description, "--token", service])
        #expect(refused.status == 1 && refused.output.contains("belfry token --role admin"), "\(refused.output)")
      }
    }

    @Test func `types checks a catalogue file by its exit status, a line for each problem`() async throws {
      try await TestStack.with { belfry in
        let file = FileManager.default.temporaryDirectory.appending(path: "belfry-catalogue-\(UUID()).yaml").path
        defer { Cleanup.removeNow(file) }
        try Data("version: 1\nevents: [{ name: TableIsSet }]\n".utf8).write(to: URL(filePath: file))
        let good = try await belfry.belfry(["types", "--check", file])
        #expect(good.status == 0 && good.output.hasPrefix("\(file): good; "), "\(good.output)")
        try Data("version: 2\nevents: [{ nam: TableIsSet }]\n".utf8).write(to: URL(filePath: file))
        let bad = try await belfry.belfry(["types", "--check", file])
        #expect(bad.status == 1)
        let problems = [
          ":1:1: version: 2 is not 1", ":2:10: events[0].name: is required",
          ":2:12: events[0].nam: is not a known field; did you mean name?",
        ]
        #expect(bad.output == problems.map { "\(file)\($0)\n" }.joined(), "\(bad.output)")
        let json = try await belfry.belfry(["types", "--json"])
        let catalogue = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
        let inForce = try Catalogue(file: try WaitingCatalogue.file.get())
        #expect((catalogue["types"] as? [Any])?.count == inForce.types.count)
      }
    }

    @Test func `a command that fails says what to do`() async throws {
      try await TestStack.with { belfry in
        let send = ["send", "--to", UUID().uuidString, "--type"]
        let explain = ["explain", "send", UUID().uuidString]
        let nowhere = ["BELFRY_CLI_GATEWAY_URL": "http://127.0.0.1:1"]
        for (arguments, variables, words) in [
          (
            ["stats", "--data-dir", "/nowhere/else"], ["BELFRY_CLI_GATEWAY_URL": "", "BELFRY_AUTH_SECRET": ""],
            ["BELFRY_CLI_GATEWAY_URL", "no /nowhere/else/belfry.env", "--data-dir", "--gateway"]
          ),
          (send + ["Nonsense"], [:], ["type: ", "belfry types"]),
          (send + ["AllowanceDeposit"], [:], ["data", "belfry types"]),
          (send + ["99", "--token", "nonsense"], [:], ["401", "belfry token --role service"]),
          (send + ["99", "--token", try await belfry.token(UserID(UUID()))], [:], ["403", "role service"]),
          (send + ["99"], nowhere, ["127.0.0.1:1", "belfry-dev run"]),
          (explain + ["Nonsense"], [:], ["type: 'Nonsense' is not in the catalogue", "belfry types"]),
          (
            send + ["AlowanceDeposit"], [:],
            ["type: 'AlowanceDeposit' is not in the catalogue; did you mean AllowanceDeposit?"]
          ),
          (explain + ["99", "--token", "nonsense"], [:], ["401", "belfry token --role admin"]),
          (explain + ["99"], nowhere, ["127.0.0.1:1", "belfry-dev run"]),
          (["explain", "event", "Nonsense"], [:], ["event.name: 'Nonsense' is not an event", "belfry types"]),
          (
            ["dead", "list"], ["BELFRY_BROKER_URL": "amqp://127.0.0.1:1"], ["Is RabbitMQ running", "BELFRY_BROKER_URL"]
          ),
          (["migrate"], ["BELFRY_DATABASE_URL": "postgresql://127.0.0.1:1/x"], ["Is PostgreSQL running"]),
        ] as [([String], [String: String], [String])] {
          let result = try await belfry.belfry(arguments, variables: variables)
          #expect(result.status == 1, "\(arguments)")
          for word in words { #expect(result.output.contains(word), "\(arguments): \(result.output)") }
          #expect(!result.output.contains("{"), "\(result.output)")
          #expect(!result.output.contains("warning"), "\(result.output)")
        }
      }
    }

    @Test func `copies of a service share the load`() async throws {
      try await TestStack.with { belfry in
        let load = try await Load(belfry, people: 40, count: 2_000)
        let services = [BelfryService.router, .push]
        let before = try services.map { try belfry.stack.services($0).map(Self.ticks) }
        try await load.check(try await load.run())
        let after = try services.map { try belfry.stack.services($0).map(Self.ticks) }
        for (service, (old, new)) in zip(services, zip(before, after)) {
          let used = zip(old, new).map { $1 - $0 }
          #expect(used.count == 2)
          #expect((used.min() ?? 0) * 5 >= used.reduce(0, +), "\(service): CPU time \(used)")
        }
      }
    }

    /// CPU time of a process so far, in clock ticks.
    private static func ticks(_ process: StackProcess) throws -> Int {
      let stat = try String(contentsOfFile: "/proc/\(try #require(process.pid))/stat", encoding: .utf8)
      let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
      return (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0)
    }
  }
}
