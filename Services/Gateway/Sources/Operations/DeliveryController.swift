import Foundation
import Hummingbird
import BelfryJSON
import NotificationModel
import NotificationStore
import UserIdentity
import WallClock

/// `GET /api/v1/admin/deliveries`: what came of deliveries to devices and addresses, the newest first.
struct DeliveryController {
  let deliveries: DeliverySearch
  let devices: DeviceStore
  let audit: AuditStore
  let identities: UserIdentities
  let catalogue: Catalogue
  let channels: [any RoutingChannel]

  init(_ dependencies: GatewayDependencies) {
    deliveries = DeliverySearch(client: dependencies.database)
    devices = DeviceStore(client: dependencies.database)
    audit = AuditStore(client: dependencies.database)
    identities = dependencies.identities
    catalogue = dependencies.catalogue
    channels = dependencies.channels
  }

  var routes: [Route] { [.get("admin/deliveries", .admin, list)] }

  func list(_ request: Request, context: GatewayContext) async throws -> Response {
    var query = QueryParameters(request)
    var filter = DeliverySearch.Filter()
    let user = query.user("user")
    filter.user = user.map { UserID($0.uuid) }
    filter.request = query.identifier("request")
    filter.outcome = Self.outcome(&query)
    filter.since = query.instant("since")
    let cursor = query.text("after").map(DeliverySearch.Cursor.init(text:))
    if cursor == .some(nil) { query.problem("after", "expected what an answer gave as next") }
    let pageSize = query.integer("pageSize", default: 20, in: 1...100)
    if query.errors.isEmpty, !filter.isIndexed {
      query.problem(
        "outcome",
        "expected rejected, exhausted, expired or uncertain, or none, where neither user nor request is given"
      )
    }
    try query.validate()
    if let user { try await identities.check([user]) }
    if let user = filter.user { try await audit.write("user.deliveries", of: user, by: context) }
    guard let page = try await deliveries.page(filter, after: cursor ?? nil, limit: pageSize) else {
      let most = DeliverySearch.maximumRecipients
      throw Problem.invalid("request", "was for more than \(most) recipients: give a user too, or an outcome alone")
    }
    let texts = try await identities.texts(of: page.entries.lazy.compactMap(\.recipient?.user))
    let known = try await devices.devices(
      at: page.entries.compactMap { entry in entry.recipient.map { (user: $0.user, target: entry.delivery.target) } }
    )
    return .json { writer in
      writer.object { writer in
        writer.array("deliveries") { writer in
          for entry in page.entries {
            // A topic may be called like a device.
            write(entry, texts, entry.recipient.flatMap { _ in known[entry.delivery.target] }, to: &writer)
          }
        }
        writer.field("hasMore", page.hasMore)
        writer.nullableField("next", page.hasMore ? page.entries.last?.cursor.text : nil)
      }
    }
  }

  private static func outcome(_ query: inout QueryParameters) -> DeliveryOutcome? {
    guard let text = query.text("outcome") else { return nil }
    let outcome = DeliveryOutcome.allCases.first { $0.name == text }
    if outcome == nil {
      query.problem("outcome", "expected delivered, rejected, exhausted, expired or uncertain")
    }
    return outcome
  }

  private func write(
    _ entry: DeliverySearch.Entry,
    _ texts: UserTexts,
    _ device: DeviceStore.RegisteredDevice?,
    to writer: inout JSONWriter
  ) {
    let delivery = entry.delivery
    writer.object { writer in
      writer.nullableField("notificationId", entry.recipient?.notification.description)
      writer.nullableField("userId", entry.recipient.map { texts[$0.user] })
      writer.field("requestId", entry.request.description)
      writer.field("type", entry.type)
      writer.nullableField("typeName", catalogue.type(.code(entry.type))?.name)
      writer.field("channel", delivery.channel.rawValue)
      writer.field("channelName", delivery.channel.name(among: channels))
      writer.field("target", delivery.target)
      writer.optionalField("audience", entry.audience)
      if let device { writer.object("device") { device.writeAddress(to: &$0) } }
      writer.field("outcome", DeliveryOutcome(rawValue: delivery.outcome)?.name ?? String(delivery.outcome))
      writer.nullableField("reason", delivery.reason)
      writer.nullableField("providerId", delivery.providerID)
      writer.field("attempts", delivery.attempts)
      writer.field("at", delivery.finishedAt.rfc3339)
    }
  }
}
