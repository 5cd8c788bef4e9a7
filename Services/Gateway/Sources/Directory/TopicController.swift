import Authentication
import Foundation
import Hummingbird
import NotificationModel
import NotificationStore
import UserIdentity

/// `/api/v1/topics/{topic}/users/{userId}` and `…/devices/{id}`: which topics of FCM people and devices are subscribed to. Answers 204
/// once that is stored; dispatchers bring FCM into line.
struct TopicController {
  let subscriptions: TopicSubscriptionStore
  let identities: UserIdentities
  let hasFCM: Bool
  let clock: @Sendable () -> Date

  init(_ dependencies: GatewayDependencies) {
    subscriptions = TopicSubscriptionStore(client: dependencies.database)
    identities = dependencies.identities
    hasFCM = dependencies.channels.contains { $0.providers?.carriers.contains(.fcm) == true }
    clock = dependencies.clock
  }

  var routes: [Route] {
    [
      .put("topics/:topic/users/:userId", .service(.directory), subscribeUser),
      .delete("topics/:topic/users/:userId", .service(.directory), unsubscribeUser),
      .put("topics/:topic/devices/:id", .service(.directory), subscribeDevice),
      .delete("topics/:topic/devices/:id", .service(.directory), unsubscribeDevice),
    ]
  }

  func subscribeUser(_ request: Request, context: GatewayContext) async throws -> Response {
    let asked = clock()
    let topic = try topic(context, isNew: true)
    let user = try await identities.user("userId", of: request, context, asked: asked)
    return try answer(try await subscriptions.subscribe(user, to: topic, asked: asked))
  }

  func unsubscribeUser(_ request: Request, context: GatewayContext) async throws -> Response {
    let topic = try topic(context)
    try await subscriptions.unsubscribe(try await identities.user("userId", of: request, context), from: topic)
    return Response(status: .noContent)
  }

  func subscribeDevice(_ request: Request, context: GatewayContext) async throws -> Response {
    let asked = clock()
    let topic = try topic(context, isNew: true)
    let device: DeviceID = try context.identifier()
    return try answer(try await subscriptions.subscribe(device, to: topic, asked: asked))
  }

  func unsubscribeDevice(_ request: Request, context: GatewayContext) async throws -> Response {
    let topic = try topic(context)
    let device: DeviceID = try context.identifier()
    guard try await subscriptions.unsubscribe(device, from: topic) else { throw Problem.notFound }
    return Response(status: .noContent)
  }

  private func topic(_ context: GatewayContext, isNew: Bool = false) throws -> String {
    let text = context.parameters.get("topic")?.removingPercentEncoding ?? ""
    do throws(TopicError) {
      _ = try TopicAudience(topic: text)
    } catch {
      throw Problem.invalid("topic", error.description)
    }
    guard isNew else { return text }
    // A path cannot be written with it.
    if text.isDotSegment { throw Problem.invalid("topic", "must not be . or ..") }
    if !hasFCM {
      throw Problem.invalid("topic", "is FCM's, through which this deployment does not push (BELFRY_PUSH_PROVIDERS)")
    }
    return text
  }

  private func answer(_ outcome: TopicSubscriptionStore.Outcome) throws -> Response {
    switch outcome {
    case .subscribed: return Response(status: .noContent)
    case .noDevice: throw Problem.notFound
    case .notFCM:
      throw Problem.invalid(
        "id",
        "is a device of another provider: topics are FCM's; name a device that it has registered"
      )
    case .full:
      throw Problem(
        .conflict,
        .limitReached,
        "There are too many topics",
        detail: "a user has at most \(TopicSubscriptionStore.maximumTopics) topics"
      )
    }
  }
}
