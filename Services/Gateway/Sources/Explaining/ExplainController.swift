import Foundation
import Hummingbird
import BelfryJSON
import NotificationModel
import NotificationStore
import UserIdentity

/// Why somebody hears of something or does not: for admins alone, for it shows what people chose and where they are reached.
struct ExplainController {
  let explainer: Explainer
  let histories: HistoryStore
  let devices: DeviceStore
  let suppressions: SuppressionStore
  let audit: AuditStore
  let identities: UserIdentities
  let clock: @Sendable () -> Date

  init(_ dependencies: GatewayDependencies) {
    explainer = Explainer(
      catalogue: dependencies.catalogue,
      recipients: RecipientStore(
        client: dependencies.database,
        zone: dependencies.zone,
        channels: dependencies.channels
      ),
      presence: PresenceStore(client: dependencies.database),
      held: HeldStore(client: dependencies.database),
      rules: RuleStore(client: dependencies.database),
      zone: dependencies.zone,
      channels: dependencies.channels
    )
    histories = HistoryStore(client: dependencies.database)
    devices = DeviceStore(client: dependencies.database)
    suppressions = SuppressionStore(client: dependencies.database)
    audit = AuditStore(client: dependencies.database)
    identities = dependencies.identities
    clock = dependencies.clock
  }

  var routes: [Route] {
    [
      .post("admin/explain", .admin, explain),
      .get("admin/notifications", .admin, latest),
      .get("admin/notifications/:id", .admin, history),
    ]
  }

  /// `POST /api/v1/admin/explain`: what would be decided of a send, or would follow from an event.
  func explain(_ request: Request, context: GatewayContext) async throws -> Response {
    let now = clock()
    switch try await RequestBody.read(DryRun.self, of: request, routing: explainer.channels) {
    case .send(let send, let user, let at):
      try await identities.check([user])
      let explanation = try await explainer.explain(send, to: user, at: at, now: now)
      try await audit.write("user.explain", of: UserID(user.uuid), by: context)
      return .json { explanation.write(to: &$0) }
    case .event(let event, let at):
      let explanation = try await explainer.evaluate(event, at: at, now: now)
      try await identities.check(explanation.named)
      let texts = try await identities.texts(of: explanation.users).adding(explanation.named)
      return .json { explanation.write(to: &$0, texts) }
    }
  }

  /// `GET /api/v1/admin/notifications/{id}?user=`: what was decided of one notification, and what came of it.
  func history(_ request: Request, context: GatewayContext) async throws -> Response {
    let id: NotificationID = try context.identifier()
    var query = QueryParameters(request)
    let named = query.requiredUser("user")
    try query.validate()
    guard let named, let user = try await identities.checked(named),
      let history = try await histories.history(of: id, user: user)
    else { throw Problem.notFound }
    let detail = [JSONMember("notificationId", id.description)]
    try await audit.write("user.notification", of: user, detail: detail, by: context)
    let zone = try await explainer.zone(of: user)
    let now = clock()
    let devices = try await devicesReached(by: [history], of: user)
    let suppression = try await suppression(behind: [history], of: user)
    return .json { history.write(to: &$0, user: named, explainer, devices, suppression, zone: zone, now: now) }
  }

  /// `GET /api/v1/admin/notifications?user=`: the same of a user's latest notifications, the newest first.
  func latest(_ request: Request, context: GatewayContext) async throws -> Response {
    var query = QueryParameters(request)
    let named = query.requiredUser("user")
    let before: NotificationID? = query.identifier("before")
    let limit = query.integer("limit", default: 10, in: 1...50)
    try query.validate()
    guard let named, let user = try await identities.checked(named) else { throw Problem.notFound }
    try await audit.write("user.notifications", of: user, by: context)
    let found = try await histories.latest(of: user, before: before, limit: limit + 1)
    let zone = try await explainer.zone(of: user)
    let now = clock()
    let devices = try await devicesReached(by: found, of: user)
    let suppression = try await suppression(behind: found, of: user)
    return .json { writer in
      writer.object { writer in
        writer.array("notifications") { writer in
          for history in found.prefix(limit) {
            history.write(to: &writer, user: named, explainer, devices, suppression, zone: zone, now: now)
          }
        }
        writer.field("hasMore", found.count > limit)
      }
    }
  }

  /// Why the user's address is suppressed, if a mail was left out for that.
  private func suppression(
    behind histories: [NotificationHistory],
    of user: UserID
  ) async throws -> AddressSuppression? {
    let isAsked = histories.contains { $0.plan[.email] == .skip(.emailSuppressed) }
    return isAsked ? try await suppressions.suppression(of: user) : nil
  }

  /// The devices that deliveries went to, by their targets.
  private func devicesReached(
    by histories: [NotificationHistory],
    of user: UserID
  ) async throws -> [String: DeviceStore.RegisteredDevice] {
    try await devices.devices(at: histories.flatMap(\.deliveries).map { (user: user, target: $0.target) })
  }
}
