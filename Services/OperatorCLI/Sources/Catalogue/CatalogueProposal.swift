import ArgumentParser
import Authentication
import ConsoleCommands
import Foundation
import BelfryJSON
import NotificationModel

/// Another catalogue, whose changes are looked at before it is put in force.
struct CatalogueProposal {
  private let method: String
  private let path: GatewayPath
  private let content: (type: String, bytes: [UInt8])?
  /// What problems are reported of.
  private let name: String

  /// What the gateway says of it, and the ETag of what it compared it with.
  struct Plan {
    let answer: Data
    let tag: String?
  }

  /// - Parameter file: `-` is standard input.
  init(file: String, on console: Console) throws {
    let text = try CatalogueText(file: file, on: console)
    name = Console.name(of: file)
    method = "PUT"
    path = GatewayPath("admin", "catalogue")
    let isJSON = file.lowercased().hasSuffix(".json")
    content = (isJSON ? "application/json" : "application/yaml", Array(text.yaml.utf8))
  }

  init(rollbackTo version: Int) {
    method = "POST"
    path = GatewayPath("admin", "catalogue", "versions", String(version), "rollback")
    content = nil
    name = "version \(version)"
  }

  /// Asks what it would change.
  func plan(_ gateway: GatewayClient, on console: Console) async throws -> Plan {
    let response = try await send(gateway, path.with("dryRun", "true"), headers: [], on: console)
    return Plan(answer: Data(response.body), tag: response.tag)
  }

  /// Says what it changes, asks, and puts it in force in the place of what it was compared with.
  func carryOut(
    asking question: String,
    isDryRun: Bool,
    _ consent: Consent,
    _ options: ShowOptions,
    on console: Console
  ) async throws {
    try await options.gateway.using(as: .admin) { gateway in
      let plan = try await plan(gateway, on: console)
      guard !isDryRun else { return try options.show(plan.answer, on: console) { Self.lines($0) } }
      for line in Self.lines(try ShowOptions.value(of: plan.answer)) {
        // Programs read the answer alone.
        if options.json { try console.note(line) } else { try console.say(line) }
      }
      try consent.ask(question, on: console)
      let headers = plan.tag.map { [(name: "If-Match", value: $0)] } ?? []
      let response = try await send(gateway, path, headers: headers, on: console)
      let isNew = response.tag != plan.tag
      try options.show(Data(response.body), on: console) { answer in
        let version = answer["version"]?.shown ?? "?"
        return [
          isNew
            ? "Version \(version) is in force. Gateways, routers and in-app nodes take it within five seconds."
            : "It is in force already\(version == "0" ? "" : ", as version \(version)"): nothing was done."
        ]
      }
    }
  }

  /// What changes, a line for each.
  static func lines(_ answer: JSONValue) -> [String] {
    let changes = answer["changes"]?.array ?? []
    guard !changes.isEmpty else { return ["Nothing changes for anybody."] }
    return changes.map { "- \($0["text"]?.shown ?? "?")" }
  }

  private func send(
    _ gateway: GatewayClient,
    _ path: GatewayPath,
    headers: [(name: String, value: String)],
    on console: Console
  ) async throws -> (body: [UInt8], tag: String?) {
    do {
      return try await gateway.exchange(method, path.text, headers: headers, content: content)
    } catch let refusal as GatewayRefusal {
      let problems = refusal.fileProblems(as: CatalogueProblem.self)
      guard !problems.isEmpty else { throw refusal }
      for problem in problems { try console.say(problem.line(in: name)) }
      throw ExitCode.failure
    }
  }
}
