import Authentication
import CatalogueVersions
import Foundation
import HTTPTypes
import BelfryJSON
import NotificationModel
import NotificationStore
import TestSupport
import Testing

@testable import Gateway

/// `/api/v1/admin/catalogue` and its versions.
@Suite struct CatalogueVersionRouteTests {
  private static let path = "/api/v1/admin/catalogue"

  /// - Parameter fields: Of the one type, beside code, name and category.
  static func file(_ fields: String = "title: Dinner, body: Come") -> String {
    """
    # Ours.
    version: 1
    defaults: { channels: { inApp: true }, priority: normal, timeToLiveDays: 7, title: News, body: Something happened }
    categories: [{ name: Household, channels: { inApp: true } }]
    types: [{ code: 900, name: DinnerIsReady, category: Household, \(fields) }]

    """
  }

  /// A gateway that follows the versions in the database, as the service does.
  private func following(
    _ file: String = "",
    _ body: @escaping @Sendable (TestGateway) async throws -> Void
  ) async throws {
    try await TestGateway.with { gateway in
      let catalogues = try CatalogueInForce(
        file: file,
        store: CatalogueVersionStore(client: gateway.database),
        logger: .quiet
      )
      try await catalogues.refresh()
      try await gateway.beside(catalogues: catalogues, body)
    }
  }

  private func root() async throws -> Caller { try await .service("root", role: .admin) }

  private func put(
    _ gateway: TestGateway,
    _ body: String,
    _ headers: HTTPFields = [:],
    query: String = ""
  ) async throws -> Answer {
    var headers = headers
    if headers[.contentType] == nil { headers[.contentType] = "application/yaml" }
    return try await gateway.call(.put, Self.path + query, as: try await root(), headers: headers, body: body)
  }

  @Test func `before any version there is a file that says so, with tag 0`() async throws {
    try await following { gateway in
      let answer = try await gateway.call(.get, Self.path, as: try await root()).expect(.ok)
      #expect(answer.text.hasSuffix("\nversion: 1\n") && answer.text.hasPrefix("# No version was applied yet"))
      #expect(answer.headers[.contentType] == "application/yaml")
      #expect(answer.headers[.eTag] == "\"0\"")
      #expect(answer.headers[.catalogueSource] == "built-in")
      let json = try await gateway.call(.get, Self.path, as: try await root(), headers: [.accept: "application/json"])
      #expect(json.text == #"{"version":1}"#)
      let known = try await gateway.call(.get, Self.path, as: try await root(), headers: [.ifNoneMatch: "\"0\""])
      #expect(known.status == .notModified)
      #expect(try await gateway.call(.get, Self.path + "/versions", as: try await root()).list("versions").isEmpty)
    }
  }

  @Test func `a file that is applied is in force here at once, and kept as it was given`() async throws {
    try await following { gateway in
      #expect(try await gateway.call(.get, "/catalogue").text.contains("DinnerIsReady") == false)
      let answer = try await put(gateway, Self.file()).expect(.ok)
      let applied = try answer.json()
      #expect(applied["version"] as? Int == 1 && applied["appliedAt"] is String)
      #expect(answer.headers[.eTag] == "\"1\"")
      let changes = try answer.list("changes")
      #expect(changes.map { $0["kind"] as? String } == ["typeAdded", "categoryAdded"])
      #expect(changes.map { $0["name"] as? String } == ["DinnerIsReady", "Household"])
      // This very gateway works by it.
      #expect(try await gateway.call(.get, "/catalogue").text.contains("DinnerIsReady"))
      let send = #"{"to":{"users":["4f9c1c1e-0001-4000-8000-000000000001"]},"type":"DinnerIsReady"}"#
      _ = try await gateway.call(.post, "/api/v1/notifications", as: .service(), body: send).expect(.accepted)

      let shown = try await gateway.call(.get, Self.path, as: try await root()).expect(.ok)
      #expect(shown.text == Self.file() && shown.headers[.eTag] == "\"1\"")
      #expect(shown.headers[.catalogueSource] == "version")
      let entry = try #require(try await AuditStore(client: gateway.database).page(before: nil, limit: 9).entries.first)
      #expect(entry.action == "catalogue.apply" && entry.actor == "root" && entry.subject == "1")
      // By these routers find it for what it alone knows.
      let names = ["dinnerisready", "lowbalancewarning", "balanceupdated"]
      let found = try await CatalogueVersionStore(client: gateway.database)
        .versions(knowing: Set(names + ["nothing"]), before: 2, limit: 1)
      #expect(found == Dictionary(uniqueKeysWithValues: names.map { ($0, [1]) }))
    }
  }

  @Test func `the same file again makes no version, whether it comes in YAML or JSON`() async throws {
    try await following { gateway in
      _ = try await put(gateway, Self.file()).expect(.ok)
      let again = try await put(gateway, Self.file()).expect(.ok)
      #expect(try again.json()["version"] as? Int == 1 && again.list("changes").isEmpty)
      let json =
        "{\n\t\"version\": 1, \"events\": [{ \"name\": \"TableIsSet\" }], \"currency\": \"EUR\" }"
      for _ in 0..<2 {
        let answer = try await put(gateway, json, [.contentType: "application/json"]).expect(.ok)
        #expect(try answer.json()["version"] as? Int == 2)
      }
      #expect(try await CatalogueVersionStore(client: gateway.database).newest() == 2)
      let shown = try await gateway.call(.get, Self.path, as: try await root(), headers: [.accept: "application/json"])
      #expect(shown.text == #"{"version":1,"events":[{"name":"TableIsSet"}],"currency":"EUR"}"#)
    }
  }

  @Test func `a dry run says the same and writes nothing`() async throws {
    try await following { gateway in
      let answer = try await put(gateway, Self.file(), query: "?dryRun=true").expect(.ok)
      #expect(try answer.json()["version"] is NSNull && answer.json()["appliedAt"] is NSNull)
      #expect(try answer.list("changes").count == 2)
      #expect(answer.headers[.eTag] == "\"0\"")
      #expect(try await CatalogueVersionStore(client: gateway.database).newest() == 0)
      #expect(try await AuditStore(client: gateway.database).page(before: nil, limit: 9).entries.isEmpty)
      #expect(
        try await put(gateway, Self.file(), query: "?dryRun=maybe").expectProblem("validation", .badRequest) == [
          "dryRun"
        ]
      )
    }
  }

  @Test func `only what is expected is replaced`() async throws {
    try await following { gateway in
      try await put(gateway, Self.file(), [.ifMatch: "\"1\""])
        .expectProblem("precondition-failed", .preconditionFailed)
      _ = try await put(gateway, Self.file(), [.ifMatch: "\"0\""]).expect(.ok)
      let other = Self.file("title: Supper, body: Come")
      for tag in ["\"0\"", "W/\"1\"", "\"2\""] {
        try await put(gateway, other, [.ifMatch: tag]).expectProblem("precondition-failed", .preconditionFailed)
      }
      _ = try await put(gateway, other, [.ifMatch: "\"1\""]).expect(.ok)
      // Also where nothing would be new.
      try await put(gateway, other, [.ifMatch: "\"1\""]).expectProblem("precondition-failed", .preconditionFailed)
      #expect(try await CatalogueVersionStore(client: gateway.database).newest() == 2)
    }
  }

  @Test func `of several who apply at once each makes a version, one after another`() async throws {
    try await following { gateway in
      try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 0..<3 {
          group.addTask { try await put(gateway, Self.file("title: Dinner \(number), body: Come")).status.code }
        }
        for try await status in group { #expect(status == 200) }
      }
      let answer = try await gateway.call(.get, Self.path + "/versions", as: try await root())
      #expect(try answer.list("versions").map { $0["version"] as? Int } == [3, 2, 1])
    }
  }

  @Test func `what is wrong with a file is said with its place, and nothing is applied`() async throws {
    try await following { gateway in
      let answer = try await put(gateway, "version: 1\nevents:\n- { name: A, argument: [b] }\n- { nam: B }\n")
      let fields = try answer.expectProblem("validation", .badRequest)
      let problems = try answer.list("problems")
      #expect(fields.count == problems.count)
      #expect(problems.map { [$0["line"] as? Int, $0["column"] as? Int] } == [[3, 14], [4, 3], [4, 5]])
      #expect(problems.map { $0["path"] as? String } == ["events[0] (A).argument", "events[1].name", "events[1].nam"])
      #expect(problems.allSatisfy { ($0["message"] as? String)?.isEmpty == false && $0["path"] is String })
      #expect(try await CatalogueVersionStore(client: gateway.database).newest() == 0)
    }
  }

  @Test(arguments: [
    ("version: [", "application/yaml"), ("", "application/yaml"), ("{\"version\":", "application/json"),
    ("version: 1\u{0}", "application/yaml"), ("*a", "text/yaml"),
  ])
  func `what is no file is refused`(_ body: String, _ type: String) async throws {
    try await following { gateway in
      try await put(gateway, body, [.contentType: type]).expectProblem("validation", .badRequest)
    }
  }

  @Test func `other types of content and more than 1 MiB are refused`() async throws {
    try await TestGateway.withoutDatabase { gateway in
      for type in ["text/plain", "application/x-www-form-urlencoded", "application/octet-stream"] {
        try await put(gateway, Self.file(), [.contentType: type])
          .expectProblem("unsupported-media-type", .unsupportedMediaType)
      }
      try await put(gateway, String(repeating: "#", count: 1_048_577)).expectProblem("too-large", .contentTooLarge)
    }
  }

  @Test func `of versions each can be read as it was, page by page`() async throws {
    try await following { gateway in
      for number in 1...3 { _ = try await put(gateway, Self.file("title: Dinner \(number), body: Come")).expect(.ok) }
      let admin = try await root()
      let first = try await gateway.call(.get, Self.path + "/versions?pageSize=2", as: admin).expect(.ok)
      #expect(try first.list("versions").map { $0["version"] as? Int } == [3, 2])
      #expect(try first.json()["hasMore"] as? Bool == true && first.json()["next"] as? String == "2")
      #expect(try first.list("versions")[0]["appliedBy"] as? String == "root")
      let rest = try await gateway.call(.get, Self.path + "/versions?after=2", as: admin).expect(.ok)
      #expect(try rest.list("versions").map { $0["version"] as? Int } == [1])
      #expect(try rest.json()["hasMore"] as? Bool == false && rest.json()["next"] is NSNull)
      let second = try await gateway.call(.get, Self.path + "/versions/2", as: admin).expect(.ok)
      #expect(second.text == Self.file("title: Dinner 2, body: Come") && second.headers[.eTag] == "\"2\"")
      for number in ["4", "0", "-1", "01", "x", "99999999999999999999"] {
        try await gateway.call(.get, Self.path + "/versions/\(number)", as: admin).expectProblem("not-found", .notFound)
      }
      let fields = try await gateway.call(.get, Self.path + "/versions?after=0", as: admin)
        .expectProblem("validation", .badRequest)
      #expect(fields == ["after"])
    }
  }

  @Test func `a page of versions with very many changes ends early, and none is left out`() async throws {
    try await following { gateway in
      let store = CatalogueVersionStore(client: gateway.database)
      let many = (1...900).map { CatalogueChange(kind: .typeAdded, name: "T\($0)", text: "Type \($0) is new.") }
      for number in 0..<25 {
        let changes = number < 3 || number == 12 ? many : []
        _ = try await store.apply("# \(number)\n", changes: changes, by: "ops", expecting: number, at: .now)
      }
      let admin = try await root()
      var (seen, after): ([[Int]], String) = ([], "")
      repeat {
        let page = try await gateway.call(.get, Self.path + "/versions?pageSize=20\(after)", as: admin).expect(.ok)
        seen.append(try page.list("versions").compactMap { $0["version"] as? Int })
        after = (try page.json()["next"] as? String).map { "&after=\($0)" } ?? ""
      } while !after.isEmpty && seen.count < 9
      #expect(seen == [Array((6...25).reversed()), [5, 4, 3, 2], [1]])
    }
  }

  @Test func `an earlier version comes in force again as a new one`() async throws {
    try await following { gateway in
      let admin = try await root()
      _ = try await put(gateway, Self.file()).expect(.ok)
      _ = try await put(gateway, Self.file("title: Supper, body: Come")).expect(.ok)
      let path = Self.path + "/versions/1/rollback"
      let planned = try await gateway.call(.post, path + "?dryRun=true", as: admin).expect(.ok)
      #expect(try planned.list("changes").map { $0["kind"] as? String } == ["textChanged"])
      #expect(planned.headers[.eTag] == "\"2\"")
      try await gateway.call(.post, path, as: admin, headers: [.ifMatch: "\"1\""])
        .expectProblem("precondition-failed", .preconditionFailed)
      let answer = try await gateway.call(.post, path, as: admin, headers: [.ifMatch: "\"2\""]).expect(.ok)
      #expect(try answer.json()["version"] as? Int == 3)
      #expect(try await gateway.call(.get, Self.path, as: admin).text == Self.file())
      let newest = try #require(
        try await gateway.call(.get, Self.path + "/versions", as: admin).list("versions").first
      )
      #expect(newest["rollbackOf"] as? Int == 1)
      // It is in force already.
      let again = try await gateway.call(.post, path, as: admin).expect(.ok)
      #expect(try again.json()["version"] as? Int == 3 && again.list("changes").isEmpty)
      try await gateway.call(.post, Self.path + "/versions/9/rollback", as: admin)
        .expectProblem("not-found", .notFound)
    }
  }

  @Test func `whoever gives a code that was another type's is told`() async throws {
    try await following { gateway in
      _ = try await put(gateway, Self.file()).expect(.ok)
      _ = try await put(gateway, "version: 1\nevents: []\n").expect(.ok)
      let back = try await put(gateway, Self.file(), query: "?dryRun=true").expect(.ok).list("changes")
      #expect(!back.contains { $0["kind"] as? String == "codeReused" })
      let other = Self.file().replacingOccurrences(of: "DinnerIsReady", with: "PaymentFailed")
      for query in ["?dryRun=true", ""] {
        let changes = try await put(gateway, other, query: query).expect(.ok).list("changes")
        let reused = changes.filter { $0["kind"] as? String == "codeReused" }
        #expect(reused.count == 1)
        #expect(
          (reused.first?["text"] as? String)?
            .hasPrefix("Type 900 PaymentFailed has the code that DinnerIsReady had until version 2.") == true
        )
      }
    }
  }

  @Test func `a version that this release cannot take is not rolled back to`() async throws {
    try await following { gateway in
      let store = CatalogueVersionStore(client: gateway.database)
      _ = try await store.apply("version: 2\n", changes: [], by: "later", expecting: 0, at: .now)
      _ = try await put(gateway, Self.file()).expect(.ok)
      let answer = try await gateway.call(.post, Self.path + "/versions/1/rollback", as: try await root())
      try answer.expectProblem("validation", .badRequest)
      #expect(try answer.list("problems").isEmpty == false)
      #expect(try await store.newest() == 2)
    }
  }

  @Test func `over a version that this release cannot read, it is said with what a file is compared`() async throws {
    try await following { gateway in
      _ = try await put(gateway, Self.file()).expect(.ok)
      let store = CatalogueVersionStore(client: gateway.database)
      _ = try await store.apply("version: 2\n", changes: [], by: "later", expecting: 1, at: .now)
      let other = Self.file("title: Supper, body: Come")
      for query in ["?dryRun=true", ""] {
        let changes = try await put(gateway, other, query: query).expect(.ok).list("changes")
        #expect(changes.map { $0["kind"] as? String } == ["otherChanged", "textChanged"])
        let stand = changes.first?["text"] as? String
        #expect(stand?.contains("version 1: this release cannot read version 2.") == true)
      }
      #expect(try await store.version(3)?.summary.changes.count == 2)
    }
  }

  @Test func `of a default that flips the people are counted who made no choice`() async throws {
    try await following { gateway in
      let off = "channels: { inApp: true }, title: Dinner, body: Come"
      _ = try await put(gateway, Self.file(off)).expect(.ok)
      let users = (1...3).map { "4f9c1c1e-000\($0)-4000-8000-00000000000\($0)" }
      for user in users {
        _ = try await gateway.call(.put, "/api/v1/users/\(user)", as: .service(), body: #"{"displayName":"Ann"}"#)
          .expect(.created)
      }
      let ann = try await Caller.user(try #require(UserID(users[0])))
      _ = try await gateway.call(
        .put,
        "/api/v1/notifications/preferences",
        as: ann,
        body: #"{"preferences":[{"notificationType":900,"inAppEnabled":true,"pushEnabled":false,"emailEnabled":true}]}"#
      ).expect(.ok)
      let on = "channels: { inApp: true, email: true }, title: Dinner, body: Come"
      let changes = try await put(gateway, Self.file(on), query: "?dryRun=true").expect(.ok).list("changes")
      #expect(
        changes.map { $0["text"] as? String } == [
          "Type 900 DinnerIsReady: email is on instead of off for people who made no choice. 2 of 3 people made no choice."
        ]
      )
    }
  }

  @Test func `where a setting names a file that is what is in force, and nothing is applied`() async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "belfry-file-\(UUID()).yaml").path
    try Self.file().write(toFile: path, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: path) }
    try await following(path) { gateway in
      let shown = try await gateway.call(.get, Self.path, as: try await root()).expect(.ok)
      #expect(shown.text == Self.file() && shown.headers[.catalogueSource] == "file")
      let other = Self.file("title: Supper, body: Come")
      try await put(gateway, other).expectProblem("catalogue-by-file", .conflict)
      // What it would change can be asked.
      let planned = try await put(gateway, other, query: "?dryRun=true").expect(.ok)
      #expect(try planned.list("changes").map { $0["kind"] as? String } == ["textChanged"])
      #expect(planned.headers[.eTag] == shown.headers[.eTag])
      #expect(try await CatalogueVersionStore(client: gateway.database).newest() == 0)
      _ = try await CatalogueVersionStore(client: gateway.database)
        .apply(other, changes: [], by: "ops", expecting: 0, at: .now)
      try await gateway.call(.post, Self.path + "/versions/1/rollback", as: try await root())
        .expectProblem("catalogue-by-file", .conflict)
    }
  }

  @Test func `of a file what was read is in force, whatever it says by now`() async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "belfry-file-\(UUID()).yaml").path
    try Self.file().write(toFile: path, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: path) }
    try await following(path) { gateway in
      let other = Self.file("title: Supper, body: Come")
      try other.write(toFile: path, atomically: true, encoding: .utf8)
      let shown = try await gateway.call(.get, Self.path, as: try await root()).expect(.ok)
      #expect(shown.text == Self.file())
      let planned = try await put(gateway, other, query: "?dryRun=true").expect(.ok)
      #expect(try planned.list("changes").map { $0["kind"] as? String } == ["textChanged"])
      try FileManager.default.removeItem(atPath: path)
      let kept = try await gateway.call(.get, Self.path, as: try await root()).expect(.ok)
      #expect(kept.text == Self.file() && kept.headers[.eTag] == shown.headers[.eTag])
    }
  }

  @Test(arguments: [
    (nil, false), ("*/*", false), ("application/json", true), ("application/yaml", false),
    ("application/json, application/yaml", false), ("application/yaml;q=0.5, application/json", true),
    ("text/html, application/json;q=0.9, */*;q=0.1", true), ("application/json;q=0", false),
  ])
  func `JSON is answered to who prefers it`(_ accept: String?, _ isJSON: Bool) {
    var headers: HTTPFields = [:]
    headers[.accept] = accept
    #expect(CatalogueAnswer.prefersJSON(headers) == isJSON)
  }

  @Test func `of very many problems the first are listed, and how many there are`() {
    let all = (1...1_000).map { (line: Int) in
      CatalogueProblem(path: "types[\(line)]", message: "is wrong", line: line, column: 1)
    }
    let problem = Problem.catalogue(all)
    #expect(problem.problems.count == 201 && problem.errors.count == 201)
    #expect(problem.problems.last?.message == "there are 800 problems beside these")
    #expect(problem.detail == "line 1: types[1]: is wrong")
  }
}
