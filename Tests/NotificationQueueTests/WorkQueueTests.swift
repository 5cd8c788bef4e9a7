import NotificationModel
import NotificationQueue
import Settings
import Testing

@Suite struct WorkQueueTests {
  @Test func `FCM keeps the queue of push, and any other provider gets one of its own`() {
    #expect(WorkQueue(.fcm) == .push)
    #expect(
      DevicePlatform.Carrier.allCases.map { WorkQueue($0).name } == [
        "belfry.push", "belfry.push.apns", "belfry.push.webpush",
      ]
    )
    #expect(DevicePlatform.Carrier.allCases.allSatisfy { WorkQueue($0).channel == .push })
    let tier = RetryLadder().tiers[0]
    #expect(tier.queue(of: WorkQueue(.apns)) == "belfry.push.apns.retry.1s")
    #expect(Topology.deadQueue(of: WorkQueue(.apns).name) == "belfry.push.apns.parked")
    #expect(WorkQueue(.apns).label == "push.apns")
  }

  @Test func `there are queues for every provider of pushes, whichever a deployment has, and for mail`() {
    #expect(
      WorkQueue.allCases.map(\.name) == [
        "belfry.push", "belfry.push.apns", "belfry.push.webpush", "belfry.email", "belfry.email.bulk",
      ]
    )
    #expect(WorkQueue.allCases == [.push, WorkQueue(.apns), WorkQueue(.webPush), .email, .emailBulk])
    let dead = ["ingest", "push", "push.apns", "push.webpush", "email", "email.bulk"]
    #expect(DeadQueue.allCases.map(\.rawValue) == dead)
  }

  @Test func `a channel that goes by providers has a queue for each`() {
    func names(_ carriers: DevicePlatform.Carrier...) -> [[String]] {
      Channel.routing(pushingBy: PushProviders(carriers)).filter(\.hasQueue).map { routing in
        WorkQueue.queues(of: routing).map(\.name)
      }
    }
    let mails = ["belfry.email", "belfry.email.bulk"]
    #expect(names(.fcm) == [["belfry.push"], mails])
    #expect(names(.webPush, .fcm) == [["belfry.push", "belfry.push.webpush"], mails])
    #expect(names() == [[], mails])
  }

  @Test func `transactional mails keep the queue of email, and bulk mails have one of their own`() {
    #expect(WorkQueue(.transactional) == .email && WorkQueue(.bulk) == .emailBulk)
    #expect(WorkQueue.email.name == "belfry.email" && WorkQueue.email.stream == .transactional)
    #expect(WorkQueue.emailBulk.name == "belfry.email.bulk" && WorkQueue.emailBulk.label == "email.bulk")
    #expect([WorkQueue.email, .emailBulk].allSatisfy { $0.channel == .email && $0.carrier == nil })
    #expect(RetryLadder().tiers[0].queue(of: .emailBulk) == "belfry.email.bulk.retry.1s")
    #expect(Topology.deadQueue(of: WorkQueue.emailBulk.name) == "belfry.email.bulk.parked")
    #expect(DeadQueue(rawValue: "email.bulk")?.origin == "belfry.email.bulk")
    #expect(WorkQueue.push.stream == nil)
  }

  // MARK: Who carries pushes

  private func providers(_ text: String?) throws -> PushProviders {
    let settings = Settings(variables: text.map { ["BELFRY_PUSH_PROVIDERS": $0] } ?? [:])
    let providers = PushProviders(settings)
    try settings.validate()
    return providers
  }

  @Test func `unless a deployment says otherwise its pushes go through FCM`() throws {
    #expect(try providers(nil) == .standard)
    #expect(try providers("") == .standard)
    #expect(try providers("fcm") == .standard)
    #expect(try providers("FCM") == .standard)
    #expect(try providers("None").isEmpty)
    #expect(try providers("none").isEmpty)
    #expect(try providers("apns, fcm").carriers == [.fcm, .apns])
  }

  @Test(arguments: [
    ("firebase", ""), ("fcm,smoke", ""), ("fmc", "; did you mean fcm?"), ("fcm, FCN", "; did you mean fcm?"),
  ])
  func `a provider that this version does not have stops the start with those that it has`(
    _ text: String,
    _ advice: String
  ) {
    let known = DevicePlatform.Carrier.implemented.map(\.rawValue).joined(separator: ", ")
    let error = #expect(throws: StartError.self) { try providers(text) }
    #expect(
      error?.description
        == "BELFRY_PUSH_PROVIDERS: expected \(known) (separated by commas), or none, got '\(text)'\(advice)"
    )
  }

  @Test func `who reads it lets the push dispatcher's other settings pass`() throws {
    let settings = Settings(variables: ["BELFRY_PUSH_PROVIDERS": "none", "BELFRY_PUSH_WEB_LINK": "https://a.example"])
    _ = PushProviders(settings)
    try settings.validate()
  }
}
