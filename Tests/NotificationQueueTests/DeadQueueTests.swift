import NotificationQueue
import Testing

@Suite struct DeadQueueTests {
  @Test func `dead-letter queues are those of the ingest queue and of each channel that has a queue`() {
    #expect(
      DeadQueue.allCases.map(\.rawValue) == ["ingest", "push", "push.apns", "push.webpush", "email", "email.bulk"]
    )
    #expect(DeadQueue(rawValue: "email")?.name == "belfry.email.parked")
    #expect(DeadQueue(rawValue: "inApp") == nil)
  }
}
