import Foundation
import Logging
import NotificationModel
import NotificationQueue
import NotificationStore
import Postgres
import TestSupport
import Testing

@testable import Router

struct ViewersTests {
  private let user = UserID(UUID())

  private func job(_ users: [UserID], about entity: (type: String, id: String)?) throws -> RoutingJob {
    let type = try #require(try Catalogue().type(.code(12)))
    let content = NotificationContent(
      type: type,
      text: type.template.render(title: nil, body: nil, data: [:]),
      data: [:],
      relatedEntityType: entity?.type,
      relatedEntityId: entity?.id,
      collapseKey: nil,
      createdAt: .now,
      expiresAt: .now + 60
    )
    return RoutingJob(
      type: type,
      order: RoutingOrder(requestId: RequestID(now: .now), content: content, channels: nil, recipients: users)
    )
  }

  private func viewers(_ client: PostgresClient) -> Viewers {
    Viewers(store: PresenceStore(client: client), logger: .quiet)
  }

  @Test func `who looks is asked for those alone whom something is about`() async throws {
    try await TestDatabase.with { client in
      let presence = PresenceStore(client: client)
      let other = UserID(UUID())
      let goal = try #require(RelatedEntity(type: "goal", id: "g1"))
      try await presence.heartbeat("node")
      for user in [user, other] { try await presence.start(user, connection: "c", node: "node", entity: goal) }
      let found = try await viewers(client).look(
        at: [job([user], about: ("Goal", "G1")), job([other, UserID(UUID())], about: nil)]
      )
      #expect(found == [user: [goal]])
    }
  }

  @Test func `an answer that does not come means that nobody looks`() async throws {
    try await TestDatabase.with { client in
      let presence = PresenceStore(client: client)
      let job = try job([user], about: ("Goal", "G1"))
      try await presence.heartbeat("node")
      try await presence.start(user, connection: "c", node: "node", entity: #require(job.order.content.relatedEntity))
      try await client.withConnection { session in
        try await session.script("BEGIN; LOCK TABLE presence IN ACCESS EXCLUSIVE MODE")
        #expect(await viewers(client).look(at: [job]).isEmpty)
        try await session.script("ROLLBACK")
      }
      #expect(await viewers(client).look(at: [job]).count == 1)
    }
  }

  @Test func `where nothing says what it is about, nobody is asked`() async throws {
    // Nothing serves this client: a question would fail only after its connect timeout.
    let client = PostgresClient(
      configuration: PostgresConfiguration(url: "postgresql://127.0.0.1:1/none", connectTimeout: .seconds(60)),
      logger: .quiet
    )
    #expect(try await viewers(client).look(at: [job([user], about: nil)]).isEmpty)
  }
}
