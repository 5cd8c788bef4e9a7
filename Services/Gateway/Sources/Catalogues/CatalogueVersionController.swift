import CatalogueVersions
import Foundation
import HTTPTypes
import Hummingbird
import BelfryJSON
import Logging
import NotificationModel
import NotificationStore
import WallClock

/// `/api/v1/admin/catalogue`: the operator's catalogue file, its versions, and what each changes.
struct CatalogueVersionController {
  let catalogues: CatalogueInForce
  let versions: CatalogueVersionStore
  let undecided: UndecidedPeople
  let stopped: StoppedSchedules
  let channels: [any RoutingChannel]
  let clock: @Sendable () -> Date

  /// Of several who apply at once without naming a version, one comes after the other.
  private static let attempts = 4

  init(_ dependencies: GatewayDependencies) {
    catalogues = dependencies.catalogues
    versions = CatalogueVersionStore(client: dependencies.database)
    undecided = UndecidedPeople(client: dependencies.database)
    stopped = StoppedSchedules(client: dependencies.database)
    channels = dependencies.channels
    clock = dependencies.clock
  }

  var routes: [Route] {
    [
      .get("admin/catalogue", .admin, get),
      .put("admin/catalogue", .admin, put),
      .get("admin/catalogue/versions", .admin, list),
      .get("admin/catalogue/versions/:number", .admin, getVersion),
      .post("admin/catalogue/versions/:number/rollback", .admin, rollback),
    ]
  }

  // MARK: Reading

  /// The file in force.
  func get(_ request: Request, context: GatewayContext) async throws -> Response {
    let inForce = try await inForce()
    let source: CatalogueAnswer.Source =
      switch inForce.source {
      case .builtIn: .builtIn
      case .version: .version
      case .file: .file
      }
    return try CatalogueAnswer(text: inForce.text, tag: inForce.tag, source: source).response(to: request)
  }

  /// The file as it was.
  func getVersion(_ request: Request, context: GatewayContext) async throws -> Response {
    let version = try await version(context)
    let text = CatalogueText(yaml: version.text)
    return try CatalogueAnswer(text: text, tag: EntityTag(version.number), source: .version).response(to: request)
  }

  /// Who applied what and when, the newest first.
  func list(_ request: Request, context: GatewayContext) async throws -> Response {
    var query = QueryParameters(request)
    let pageSize = query.integer("pageSize", default: 20, in: 1...100)
    let after = query.text("after").map { Int($0) ?? 0 }
    if let after, after < 1 { query.problem("after", "expected the number of a version, as an answer gave it as next") }
    try query.validate()
    let (page, hasMore) = try await self.page(after: after, pageSize: pageSize)
    return .json { writer in
      writer.object { writer in
        writer.array("versions") { writer in
          for version in page { version.write(to: &writer) }
        }
        writer.field("hasMore", hasMore)
        writer.nullableField("next", hasMore ? page.last.map { String($0.number) } : nil)
      }
    }
  }

  // MARK: Applying

  /// Puts the body in force; with `?dryRun=true` only says what that would change.
  func put(_ request: Request, context: GatewayContext) async throws -> Response {
    let isDryRun = try isDryRun(request)
    try checkSource(isDryRun: isDryRun)
    let text = try await CatalogueBody.read(request)
    let review = await self.review(text)
    guard let catalogue = review.catalogue, review.problems.isEmpty else { throw Problem.catalogue(review.problems) }
    return try await apply(text, catalogue, rollbackOf: nil, isDryRun: isDryRun, request, context)
  }

  /// Puts an earlier version in force again, as a new one. What a release has learnt to find since is no reason against it.
  func rollback(_ request: Request, context: GatewayContext) async throws -> Response {
    let isDryRun = try isDryRun(request)
    let version = try await version(context)
    try checkSource(isDryRun: isDryRun)
    let text = CatalogueText(yaml: version.text)
    let review = await self.review(text)
    guard let catalogue = review.catalogue else { throw Problem.catalogue(review.problems) }
    return try await apply(text, catalogue, rollbackOf: version.number, isDryRun: isDryRun, request, context)
  }

  private func review(_ text: CatalogueText) async -> CatalogueReview {
    await CatalogueDesk.shared.carryOut { [channels] in Catalogue.review(text.yaml, channels: channels) }
  }

  private func apply(
    _ text: CatalogueText,
    _ catalogue: Catalogue,
    rollbackOf: Int?,
    isDryRun: Bool,
    _ request: Request,
    _ context: GatewayContext
  ) async throws -> Response {
    let precondition = Precondition(request)
    for _ in 0..<Self.attempts {
      let former = try await inForce()
      try precondition.check(former.tag)
      if former.text == text {
        return answer(isDryRun ? nil : former.number, isDryRun ? nil : former.appliedAt, [], tag: former.tag)
      }
      var difference = CatalogueDifference(from: former.catalogue, to: catalogue)
      difference.note(try await versions.formerTypes(of: difference.added.keys.sorted()))
      var changes = difference.changes(
        counting: try await undecided.count(difference.flips),
        try await stopped.count(difference.lost)
      )
      if let stand = former.stand {
        let change = CatalogueChange(kind: .otherChanged, name: "", text: stand)
        changes = [change] + changes.prefix(CatalogueDifference.maximumCount - 1)
      }
      guard !isDryRun else { return answer(nil, nil, changes, tag: former.tag) }
      let applied = try await versions.apply(
        text.yaml,
        changes: changes,
        names: catalogue.versionNames,
        by: context.subject,
        rollbackOf: rollbackOf,
        expecting: former.number,
        at: clock(),
        requestID: context.requestID
      )
      guard let applied else { continue }
      // Whoever asks this gateway next is served by it. It is applied even if that fails: then it is followed within a second.
      do {
        try await catalogues.refresh()
      } catch {
        context.logger.warning("an applied version is not in force here yet", metadata: ["error": "\(error)"])
      }
      return answer(applied.number, applied.summary.appliedAt, changes, tag: EntityTag(applied.number))
    }
    throw Problem.preconditionFailed
  }

  /// - Parameters:
  ///   - number: Null of what was not applied, and so is `appliedAt`.
  ///   - tag: Of what is in force now, with which the body was compared if it was not applied.
  private func answer(
    _ number: Int?,
    _ appliedAt: Date?,
    _ changes: [CatalogueChange],
    tag: EntityTag
  ) -> Response {
    var response = Response.json { writer in
      writer.object { writer in
        writer.nullableNumber("version", number)
        writer.nullableField("appliedAt", appliedAt?.rfc3339)
        changes.write(to: &writer)
      }
    }
    response.headers[.eTag] = tag.headerValue
    return response
  }

  // MARK: What there is

  /// What is in force for this gateway, or will be within a second.
  private struct InForce {
    /// 0 where no version is.
    var number = 0
    var appliedAt: Date?
    var text = CatalogueText.none
    var tag = EntityTag(0)
    var source = AppliedCatalogue.Source.builtIn
    let catalogue: Catalogue
    /// Why the catalogue is not the one in force, in words; nil where it is.
    var stand: String?
  }

  private func inForce() async throws -> InForce {
    let current = catalogues.current
    if case .file = current.source {
      // Not what the file says now: it is in force once the gateway is restarted.
      let text = current.text ?? ""
      return InForce(
        text: CatalogueText(yaml: text),
        tag: EntityTag(of: Array(text.utf8)),
        source: current.source,
        catalogue: current.catalogue
      )
    }
    let number = try await versions.newest()
    let newest = try await catalogues.version(number)?.catalogue
    // One that this release cannot read is compared with by what is in force here.
    let catalogue = newest ?? current.catalogue
    guard number > 0, let version = try await versions.version(number) else { return InForce(catalogue: catalogue) }
    let stand =
      "These are the changes from what is in force here, \(current): this release cannot read version \(number)."
    return InForce(
      number: number,
      appliedAt: version.summary.appliedAt,
      text: CatalogueText(yaml: version.text),
      tag: EntityTag(number),
      source: .version,
      catalogue: catalogue,
      stand: newest == nil ? stand : nil
    )
  }

  /// - Throws: 409 where a file is in force, and something would be written.
  private func checkSource(isDryRun: Bool) throws(Problem) {
    if !isDryRun, case .file(let path) = catalogues.current.source { throw .catalogueByFile(path) }
  }

  private func version(_ context: GatewayContext) async throws -> CatalogueVersion {
    let text = context.parameters.get("number") ?? ""
    guard let number = Int(text), number > 0, String(number) == text, let version = try await versions.version(number)
    else { throw Problem.notFound }
    return version
  }

  private func isDryRun(_ request: Request) throws -> Bool {
    var query = QueryParameters(request)
    let isDryRun = query.boolean("dryRun", default: false)
    try query.validate()
    return isDryRun
  }
}

extension EntityTag {
  /// Of a version of the catalogue.
  fileprivate init(_ number: Int) {
    self.init(text: String(number))
  }
}
