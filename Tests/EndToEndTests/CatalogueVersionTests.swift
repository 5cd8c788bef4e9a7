import Authentication
import Foundation
import LocalStack
import NotificationModel
import Postgres
import Synchronization
import TestSupport
import Testing
import Transport

extension EndToEndTests {
  /// Versions of the catalogue come one after the other while people are notified and services die.
  @Suite(.serialized, .timeLimit(.minutes(10))) struct CatalogueVersionTests {
    private static let services = [BelfryService.gateway, .router, .inapp]

    /// What was accepted under a label.
    private struct Sent: Sendable {
      var code: Int
      var hasExtra: Bool
      /// The gateway that accepted it had this version, or a later one.
      var version: Int
      /// False if it was refused after a gateway had died over it, which may have accepted it.
      var isCertain: Bool
    }

    @Test func `versions applied under load and kills lose nothing, and nothing is worded by one that never was`()
      async throws
    {
      let seed = UInt64.random(in: .min ... .max)
      let directory = FileManager.default.temporaryDirectory.appending(path: "belfry-versions-\(UUID().uuidString)")
        .path
      Cleanup.remove(directory)
      var configuration = try BelfryStackConfiguration.tested(in: directory)
      configuration.variables[.gateway] = ["BELFRY_GATEWAY_USER_RATE": "0"]
      configuration.scale = [.gateway: 2, .router: 2, .inapp: 2]
      let stack = try await BelfryStack.start(configuration, logger: .quiet)
      do {
        try await TestStack.with(stack) { try await check($0, seed: seed) }
      } catch {
        Issue.record("seed \(seed): \(error)")
      }
      await stack.stop()
    }

    /// When the last version was applied.
    private final class End: Sendable {
      private let flag = Mutex(false)

      var hasCome: Bool { flag.withLock(\.self) }

      func come() { flag.withLock { $0 = true } }
    }

    private func check(_ belfry: TestStack, seed: UInt64) async throws {
      let count = TestScope.rounds(of: 200)
      let model = CatalogueModel(count, seed: seed)
      let people = (0..<20).map { _ in UserID(UUID()) }
      let end = End()
      let sent = try await withThrowingTaskGroup(of: [String: Sent].self) { group in
        for worker in 0..<6 {
          group.addTask {
            try await send(belfry, people, SplitMix64(seed: seed &+ UInt64(worker) &+ 1)) {
              end.hasCome
            }
          }
        }
        group.addTask {
          var random = SplitMix64(seed: seed &+ 1_000)
          while !end.hasCome {
            let service = Self.services[random.below(Self.services.count)]
            let processes = belfry.stack.services(service)
            let process = processes[random.below(processes.count)]
            await process.kill()
            try await process.restart()
          }
          return [:]
        }
        group.addTask {
          defer { end.come() }
          var random = SplitMix64(seed: seed &+ 2_000)
          for (place, text) in model.texts.enumerated() {
            let number = try await apply(text, belfry, &random)
            #expect(number == place + 1, "each makes one version, however often it was put")
            try await Task.sleep(for: .milliseconds(300))
          }
          return [:]
        }
        return try await group.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
      }
      try await eventually("all know the newest version", within: .seconds(5)) {
        for process in Self.services.flatMap(belfry.stack.services) {
          guard try await version(of: process, belfry) == count else { return false }
        }
        return true
      }
      let catalogues = try await belfry.stack.services(.gateway).asyncMap {
        try await belfry.call("GET", "/catalogue", at: $0.url).expect(200).text
      }
      #expect(Set(catalogues).count == 1)
      try await look(at: sent, of: people, model, belfry)
    }

    /// As the operator's commands do, by any gateway. One that dies over it may have applied it.
    ///
    /// - Returns: The version's number, as the gateway answers it.
    private func apply(_ text: String, _ belfry: TestStack, _ random: inout SplitMix64) async throws -> Int {
      let gateways = belfry.stack.services(.gateway)
      let token = try TokenMinter.mint(secret: belfry.stack.tokenSecret, subject: "tests", roles: [.admin])
      let headers = [
        (name: "Authorization", value: "Bearer \(token)"), (name: "Content-Type", value: "application/yaml"),
      ]
      while true {
        let url = gateways[random.below(gateways.count)].url + "/api/v1/admin/catalogue"
        let request = HTTPRequest(method: "PUT", url: url, headers: headers, body: Array(text.utf8))
        guard let response = try? await belfry.http.send(request), response.status != 503 else {
          try await Task.sleep(for: .milliseconds(20))
          continue
        }
        return try #require(try Answer(response).expect(200).json["version"] as? Int)
      }
    }

    /// The number of the version in force in a process; 0 before the first, nil if it does not say.
    private func version(of process: StackProcess, _ belfry: TestStack) async throws -> Int? {
      let answer = try await belfry.call("GET", "/health/ready", at: process.url)
      guard answer.status == 200, let text = answer.json["catalogue"] as? String else { return nil }
      return text == "built-in" ? 0 : Int(text.dropFirst("version ".count))
    }

    /// Sends until it is over; what is not answered is sent again under the same key, by whichever gateway there is.
    private func send(
      _ belfry: TestStack,
      _ people: [UserID],
      _ random: SplitMix64,
      until isOver: () -> Bool
    ) async throws -> [String: Sent] {
      var random = random
      var sent: [String: Sent] = [:]
      let gateways = belfry.stack.services(.gateway)
      let token = try await belfry.serviceToken()
      while !isOver() {
        let label = UUID().uuidString
        let code = CatalogueModel.codes.lowerBound + random.below(CatalogueModel.codes.count)
        let hasExtra = random.below(2) == 0
        let gateway = gateways[random.below(gateways.count)]
        let later = Date(timeIntervalSinceNow: 2).formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        let time = random.below(5) == 0 ? #","sendAt":"\#(later)""# : ""
        let data = #"{"label":"\#(label)"\#(hasExtra ? #","extra":"E""# : "")}"#
        let body =
          #"{"to":{"users":["\#(people[random.below(people.count)])"]},"type":\#(code),"data":\#(data)\#(time)}"#
        // What it knows from here on it does not forget, not even by dying.
        guard let version = try? await version(of: gateway, belfry) else { continue }
        var isCertain = true
        while true {
          guard
            let answer = try? await belfry.call(
              "POST",
              "/api/v1/notifications",
              at: gateway.url,
              token: token,
              headers: [(name: "Idempotency-Key", value: label)],
              body: body
            ), answer.status != 503
          else {
            isCertain = false
            try await Task.sleep(for: .milliseconds(20))
            continue
          }
          // Else its type is not of the version, or needs more.
          let isAccepted = answer.status == 202
          if !isAccepted { _ = try answer.expect(400) }
          if isAccepted || !isCertain {
            sent[label] = Sent(code: code, hasExtra: hasExtra, version: version, isCertain: isAccepted)
          }
          break
        }
      }
      return sent
    }

    /// Everything arrived once, in words of the version that accepted it or of a later one.
    private func look(
      at sent: [String: Sent],
      of people: [UserID],
      _ model: CatalogueModel,
      _ belfry: TestStack
    ) async throws {
      let certain = Set(sent.filter(\.value.isCertain).keys)
      #expect(certain.count > 100)
      let users = people.map(\.uuid)
      func titles() async throws -> [String] {
        let rows = try await belfry.database.query("SELECT title FROM notifications WHERE user_id = ANY (\(users))")
        return try rows.map { try $0.get(0) }
      }
      // Not by their number: what was accepted without an answer arrives as well.
      try await eventually("everything has arrived", within: .seconds(120), every: .milliseconds(500)) {
        certain.isSubset(of: try await titles().map { String($0.suffix(36)) })
      }
      var labels: Set<String> = []
      for title in try await titles() {
        let label = String(title.suffix(36))
        let what = try #require(sent[label], "\(title): nobody accepted it")
        #expect(labels.insert(label).inserted, "\(title): twice")
        let version = model.version(of: title, code: what.code, label: label, hasExtra: what.hasExtra)
        #expect(version ?? 0 >= max(1, what.version), "\(title): accepted by \(what.version) or later")
      }
      #expect(try await belfry.depth(of: "belfry.ingest.parked") == 0)
      try await eventually("nothing is left", within: .seconds(60)) { try await belfry.backlog() == 0 }
    }
  }
}

extension Sequence {
  fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async throws -> [Value] {
    var values: [Value] = []
    for element in self { values.append(try await transform(element)) }
    return values
  }
}
