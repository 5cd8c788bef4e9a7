import Foundation
import LocalStack
import NotificationModel
import Testing
import Transport

extension EndToEndTests {
  @Suite(.serialized) struct CommandLineTests {
    @Test func `help names every command, and a wrong one is told`() async throws {
      try await TestStack.with { belfry in
        let help = try await belfry.belfry(["--help"])
        #expect(help.status == 0)
        for command in ["dev", "migrate", "token", "send", "types", "dead"] { #expect(help.output.contains(command)) }
        let wrong = try await belfry.belfry(["sned"])
        #expect(wrong.status != 0)
        #expect(wrong.output.contains("sned"))
        for service in BelfryService.allCases {
          let program = "\(belfry.stack.configuration.programs)/\(service.executable)"
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
        try await waitUntil("it arrived") { try await belfry.pushes(to: ann.devices[0]).count == 1 }
      }
    }

    @Test func `a command that fails says what to do`() async throws {
      try await TestStack.with { belfry in
        let send = ["send", "--to", UUID().uuidString, "--type"]
        for (arguments, variables, words) in [
          (send + ["Nonsense"], [:], ["type: ", "belfry types"]),
          (send + ["AllowanceDeposit"], [:], ["data", "belfry types"]),
          (send + ["99", "--token", "nonsense"], [:], ["401", "belfry token --role service"]),
          (send + ["99", "--token", try await belfry.token(UserID(UUID()))], [:], ["403", "role service"]),
          (send + ["99"], ["BELFRY_CLI_GATEWAY_URL": "http://127.0.0.1:1"], ["127.0.0.1:1", "belfry dev"]),
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
