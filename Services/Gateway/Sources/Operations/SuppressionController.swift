import Authentication
import Foundation
import Hummingbird
import BelfryJSON
import NotificationModel
import NotificationStore
import WallClock

/// `/api/v1/admin/suppressions`: addresses that get no mail, or none that may be unsubscribed.
struct SuppressionController {
  let suppressions: SuppressionStore
  let identities: UserIdentities
  let clock: @Sendable () -> Date

  init(_ dependencies: GatewayDependencies) {
    suppressions = SuppressionStore(client: dependencies.database)
    identities = dependencies.identities
    clock = dependencies.clock
  }

  var routes: [Route] {
    [
      .get("admin/suppressions", .admin, list),
      .post("admin/suppressions", .admin, add),
      .delete("admin/suppressions/:address", .admin, remove),
    ]
  }

  /// The newest first.
  func list(_ request: Request, context: GatewayContext) async throws -> Response {
    var query = QueryParameters(request)
    let address = query.text("address")
    if let address, !MailAddress.isPlausible(address) { query.problem("address", Self.expectation) }
    let reason = query.text("reason").map(SuppressionReason.init(name:))
    if reason == .some(nil) {
      let names = SuppressionReason.allCases.map(\.name).joined(separator: ", ")
      query.problem("reason", "expected one of \(names)")
    }
    let cursor = query.text("after").map(Suppression.Cursor.init(text:))
    if cursor == .some(nil) { query.problem("after", "expected what an answer gave as next") }
    let pageSize = query.integer("pageSize", default: 20, in: 1...100)
    try query.validate()
    let (page, hasMore) = try await suppressions.list(
      address: address,
      reason: reason ?? nil,
      after: cursor ?? nil,
      limit: pageSize
    )
    let texts = try await identities.texts(of: page.lazy.compactMap(\.user))
    return .json { writer in
      writer.object { writer in
        writer.array("suppressions") { writer in
          for suppression in page {
            writer.object { suppression.write(to: &$0, texts) }
          }
        }
        writer.field("hasMore", hasMore)
        writer.nullableField("next", hasMore ? page.last?.cursor.text : nil)
      }
    }
  }

  func add(_ request: Request, context: GatewayContext) async throws -> Response {
    let input: NewSuppression = try await RequestBody.read(of: request)
    let (suppression, isNew) = try await suppressions.add(
      input.address,
      at: clock(),
      by: context.subject,
      requestID: context.requestID
    )
    let texts = try await identities.texts(of: [suppression.user].compactMap(\.self))
    return .json(isNew ? .created : .ok) { writer in
      writer.object { suppression.write(to: &$0, texts) }
    }
  }

  /// Whatever the reason was.
  func remove(_ request: Request, context: GatewayContext) async throws -> Response {
    let address = context.parameters.get("address")?.removingPercentEncoding ?? ""
    guard MailAddress.isPlausible(address),
      try await suppressions.remove(address, by: context.subject, requestID: context.requestID)
    else { throw Problem.notFound }
    return Response(status: .noContent)
  }

  fileprivate static let expectation = "expected an address such as ann@example.org"

  struct NewSuppression: FieldReadable {
    let address: String

    init?(_ reader: FieldReader) {
      reader.refuseUnknown(known: ["address", "reason"])
      let address = reader.requiredText("address", limit: 254)
      if let address, !MailAddress.isPlausible(address) { reader.problem("address", SuppressionController.expectation) }
      // Bounces and complaints are for mail servers and providers to report.
      let reason = reader.text("reason", limit: 100)
      if let reason, reason != SuppressionReason.manual.name { reader.problem("reason", "expected manual") }
      guard let address else { return nil }
      self.address = address
    }
  }
}

extension Suppression {
  /// Fields of an object that is begun.
  fileprivate func write(to writer: inout JSONWriter, _ texts: UserTexts) {
    writer.field("address", address)
    writer.field("reason", reason.name)
    writer.field("since", since.rfc3339)
    writer.field("source", source)
    writer.nullableField("diagnostic", diagnostic)
    writer.field("lastAt", lastAt.rfc3339)
    writer.nullableField("userId", user.map { texts[$0] })
  }
}

/// A place in the list.
extension Suppression.Cursor {
  /// Nil for a text that no answer gave.
  fileprivate init?(text: String) {
    guard
      let parts = OpaqueText.decoded(text)?.split(separator: "\n", omittingEmptySubsequences: false).map(String.init),
      parts.count == 3, let microseconds = Int(parts[0]), !parts[1].hasControl(), let reason = Int16(parts[2])
    else { return nil }
    self.init(
      since: Date(timeIntervalSinceReferenceDate: Double(microseconds) / 1_000_000),
      address: parts[1],
      reason: SuppressionReason(rawValue: reason)
    )
  }

  /// As the database keeps it.
  fileprivate var text: String {
    let microseconds = Int((since.timeIntervalSinceReferenceDate * 1_000_000).rounded())
    return OpaqueText.encoded("\(microseconds)\n\(address)\n\(reason.rawValue)")
  }
}
