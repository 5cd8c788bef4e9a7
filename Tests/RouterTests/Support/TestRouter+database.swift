import NotificationModel
import NotificationStore
import Postgres
import TestSupport

@testable import Router

/// Routers on a real database, and still on the broker in memory.
extension TestRouter {
  /// - Parameter stores: What takes part in the process's life; nil is one that never dies.
  static func batchRouter(
    on client: PostgresClient,
    _ stores: LivingStores? = nil,
    publisher: RouterPublisher,
    channels: [any RoutingChannel] = Channel.routing
  ) -> BatchRouter {
    BatchRouter(
      recipients: RecipientStore(client: client, channels: channels),
      viewers: Viewers(store: PresenceStore(client: client), logger: .quiet),
      waiting: HeldStore(client: client),
      notifications: stores.map { $0 as any NotificationStoring } ?? NotificationStore(client: client),
      outcomes: DeliveryStore(client: client),
      publisher: publisher,
      channels: channels
    )
  }

  /// A process that works until the queue is empty, or it dies.
  func worker(on client: PostgresClient, living life: Lifetime = Lifetime()) throws -> IngestWorker {
    let stores = LivingStores(client: client, life: life)
    return try worker(
      living: life,
      router: { publisher in Self.batchRouter(on: client, stores, publisher: publisher) },
      topics: TopicDeliveryStore(client: client),
      groups: GroupStore(client: client),
      identifiers: UserIdentifierStore(client: client, logger: log.logger),
      keys: stores,
      sends: ScheduleStore(client: client),
      requests: RequestStore(client: client),
      residents: AudienceStore(client: client),
      rules: stores
    )
  }
}
