import Foundation
import NotificationQueue
import Testing

@testable import NotificationModel
@testable import Router

/// What is decided of a part.
@Suite struct RoutingJobTests {
  private static let now = Date(timeIntervalSince1970: 1_800_000_000)

  private func job(
    channels: Set<Channel>? = nil,
    _ change: (inout NotificationType) throws -> Void = { _ in }
  ) throws -> RoutingJob {
    var type = try #require(try TestRouter.catalogue.get().type(.code(12)))
    type.channels = PerChannel(inApp: true, push: true, email: true)
    try change(&type)
    let content = NotificationContent(
      type: type,
      text: NotificationTemplate.Text(title: "Title", body: "Body"),
      data: [:],
      relatedEntityType: "Goal",
      relatedEntityId: "7",
      collapseKey: nil,
      createdAt: Self.now,
      expiresAt: Self.now + 60
    )
    let order = RoutingOrder(requestId: RequestID(now: Self.now), content: content, channels: channels, recipients: [])
    return RoutingJob(type: type, order: order)
  }

  private func decide(_ job: RoutingJob, at now: Date = now, viewing: Set<RelatedEntity> = []) -> RoutingPlan {
    var recipient = InMemoryStores.reachable(UserID(UUID()))
    recipient.typeChoices = ChannelChoices()
    recipient.viewing = viewing
    return RoutingDecision.decide(DecisionInput(job.subject(now: now), to: recipient))
  }

  @Test func `what a type waits for holds`() throws {
    let texts = try LocalizedTemplate(title: "{{count}}", body: "more")
    let waiting = try job {
      $0.digest = Digest(channel: .push, every: 3_600, key: nil, texts: texts)
      $0.waits[.email] = 900
    }
    #expect(
      decide(waiting)
        == PerChannel(
          inApp: .deliver,
          push: .hold(until: Self.now + 3_600, .digest),
          email: .hold(until: Self.now + 900, .unread)
        )
    )
  }

  @Test func `channels, entity and expiry are the part's`() throws {
    let job = try job(channels: [.push])
    let others = ChannelDecision.skip(.channelNotRequested)
    #expect(decide(job) == PerChannel(inApp: others, push: .deliver, email: others))
    let goal = try #require(RelatedEntity(type: "goal", id: "7"))
    #expect(decide(job, viewing: [goal])[.push] == .skip(.viewing))
    #expect(decide(job, at: Self.now + 60)[.push] == .skip(.expired))
    #expect(job.subject(now: Self.now + 1).createdAt == Self.now)
  }
}
