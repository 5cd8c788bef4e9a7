import Foundation
import BelfryJSON
import NotificationModel
import Postgres
import TestSupport
import Testing

@testable import NotificationStore

/// Who is to be subscribed to what, and what FCM is to be told of it.
@Suite(.timeLimit(.minutes(1))) struct TopicSubscriptionTests {
  /// A user's devices, and the store that tells FCM: here it is told by hand.
  private struct Bench {
    let client: PostgresClient
    let ann = Sample.user()

    var devices: DeviceStore { DeviceStore(client: client) }
    var subscriptions: TopicSubscriptionStore { TopicSubscriptionStore(client: client) }
    var registrations: TopicRegistrationStore { TopicRegistrationStore(client: client) }

    /// Tells FCM everything that is due, and what that was: `+address topic` or `-address topic`.
    func tell() async throws -> [String] {
      let claim = try await registrations.claim(limit: 100, lease: .seconds(60))
      try await registrations.settle(claim, claim.changes.map { _ in .done })
      return Self.texts(claim)
    }

    static func texts(_ claim: TopicRegistrationStore.Claim) -> [String] {
      claim.changes.map { "\($0.isWanted ? "+" : "-")\($0.address) \($0.topic)" }.sorted()
    }

    /// As when the time of all leases has passed.
    func passLease() async throws {
      _ = try await client.query("UPDATE topic_registrations SET due_at = now() WHERE due_at IS NOT NULL")
    }

    /// What FCM has, or may have.
    func known() async throws -> [String] {
      try await client.column("SELECT address || ' ' || topic FROM topic_registrations ORDER BY 1")
    }
  }

  private func with(connections: Int = 2, _ body: @Sendable (Bench) async throws -> Void) async throws {
    try await TestDatabase.with(connections: connections) { client in try await body(Bench(client: client)) }
  }

  @Test func `a person's devices of FCM are subscribed, those of today and those that come later`() async throws {
    try await with { bench in
      _ = try await bench.devices.register(.sample("a"), of: bench.ann)
      _ = try await bench.devices.register(.sample("hex", platform: .apns), of: bench.ann)
      _ = try await bench.devices.register(.sample("other"), of: Sample.user())
      #expect(try await bench.subscriptions.subscribe(bench.ann, to: "news") == .subscribed)
      #expect(try await bench.subscriptions.subscribe(bench.ann, to: "news") == .subscribed)
      #expect(try await bench.tell() == ["+a news"])
      #expect(try await bench.tell() == [], "FCM is told once")
      _ = try await bench.devices.register(.sample("b", platform: .web), of: bench.ann)
      _ = try await bench.devices.register(.sample("endpoint", platform: .webPush), of: bench.ann)
      #expect(try await bench.tell() == ["+b news"])
      _ = try await bench.devices.register(.sample("a"), of: bench.ann)
      #expect(try await bench.tell() == [], "an app registers at every start")
      #expect(try await bench.known() == ["a news", "b news"])
    }
  }

  @Test func `what a person has no more, FCM is told to end, and then forgotten`() async throws {
    try await with { bench in
      for token in ["a", "b"] { _ = try await bench.devices.register(.sample(token), of: bench.ann) }
      for topic in ["news", "sport"] { _ = try await bench.subscriptions.subscribe(bench.ann, to: topic) }
      #expect(try await bench.tell() == ["+a news", "+a sport", "+b news", "+b sport"])
      try await bench.devices.remove(token: "a", of: bench.ann)
      #expect(try await bench.tell() == ["-a news", "-a sport"])
      try await bench.subscriptions.unsubscribe(bench.ann, from: "news")
      #expect(try await bench.tell() == ["-b news"])
      #expect(try await bench.known() == ["b sport"])
      let device = try #require(try await bench.devices.devices(of: bench.ann).first)
      try await bench.devices.deactivate(tokens: [(bench.ann, device.id, "b", nil)], reason: "UNREGISTERED")
      #expect(try await bench.tell() == ["-b sport"])
      _ = try await bench.devices.register(.sample("b"), of: bench.ann)
      #expect(try await bench.tell() == ["+b sport"], "it is active again")
    }
  }

  @Test func `a device that changes hands takes no topic along`() async throws {
    try await with { bench in
      let ben = Sample.user()
      let device = try await bench.devices.register(.sample("a"), of: bench.ann)
      _ = try await bench.subscriptions.subscribe(bench.ann, to: "news")
      _ = try await bench.subscriptions.subscribe(device.id, to: "offers")
      _ = try await bench.subscriptions.subscribe(ben, to: "sport")
      #expect(try await bench.tell() == ["+a news", "+a offers"])
      _ = try await bench.devices.register(.sample("a"), of: ben)
      #expect(try await bench.tell() == ["+a sport", "-a news", "-a offers"])
      _ = try await bench.devices.register(.sample("a"), of: bench.ann)
      #expect(try await bench.tell() == ["+a news", "-a sport"], "a device's own topics ended with its user")
    }
  }

  @Test func `an installation id takes over from its token, which FCM is not asked to end`() async throws {
    try await with { bench in
      let token = try await bench.devices.register(.sample("fid:x"), of: bench.ann)
      _ = try await bench.subscriptions.subscribe(bench.ann, to: "news")
      _ = try await bench.subscriptions.subscribe(token.id, to: "offers")
      #expect(try await bench.tell() == ["+fid:x news", "+fid:x offers"])
      let installation = DeviceStore.Registration(token: "fid", platform: .android, kind: .installation)
      _ = try await bench.devices.register(installation, of: bench.ann)
      #expect(try await bench.tell() == ["+fid news", "+fid offers"])
      #expect(try await bench.known() == ["fid news", "fid offers"])
      // Of somebody who wants none of it, the installation id ends what its token began.
      _ = try await bench.devices.register(.sample("fad:x"), of: bench.ann)
      #expect(try await bench.tell() == ["+fad:x news"])
      let other = DeviceStore.Registration(token: "fad", platform: .android, kind: .installation)
      _ = try await bench.devices.register(other, of: Sample.user())
      #expect(try await bench.tell() == ["-fad news"])
    }
  }

  @Test func `an installation id ends what its token began only when nobody may be telling FCM of the token`()
    async throws
  {
    try await with { bench in
      _ = try await bench.devices.register(.sample("fid:x"), of: bench.ann)
      _ = try await bench.subscriptions.subscribe(bench.ann, to: "news")
      let claim = try await bench.registrations.claim(limit: 100, lease: .seconds(60))
      #expect(Bench.texts(claim) == ["+fid:x news"])
      let installation = DeviceStore.Registration(token: "fid", platform: .android, kind: .installation)
      _ = try await bench.devices.register(installation, of: Sample.user())
      #expect(try await bench.known() == ["fid news"])
      #expect(try await bench.tell() == [], "the token's call may come later")
      try await bench.registrations.settle(claim, [.done])
      try await bench.passLease()
      #expect(try await bench.tell() == ["-fid news"])
      #expect(try await bench.known() == [])
    }
  }

  @Test func `what ends of a token does not end what its installation id has`() async throws {
    try await with { bench in
      let installation = DeviceStore.Registration(token: "fid", platform: .android, kind: .installation)
      _ = try await bench.devices.register(.sample("fid:x"), of: bench.ann)
      _ = try await bench.subscriptions.subscribe(bench.ann, to: "news")
      #expect(try await bench.tell() == ["+fid:x news"])
      // Who logs out and comes back with the installation id, before FCM was asked or while it is.
      try await bench.devices.remove(token: "fid:x", of: bench.ann)
      _ = try await bench.devices.register(installation, of: bench.ann)
      #expect(try await bench.tell() == ["+fid news"])
      try await bench.devices.remove(token: "fid", of: bench.ann)
      #expect(try await bench.tell() == ["-fid news"])
      _ = try await bench.devices.register(.sample("fid:y"), of: bench.ann)
      #expect(try await bench.tell() == ["+fid:y news"])
      try await bench.devices.remove(token: "fid:y", of: bench.ann)
      let claim = try await bench.registrations.claim(limit: 100, lease: .seconds(60))
      #expect(Bench.texts(claim) == ["-fid:y news"])
      _ = try await bench.devices.register(installation, of: bench.ann)
      #expect(try await bench.tell() == [], "the token's call may come later")
      try await bench.registrations.settle(claim, [.done])
      try await bench.passLease()
      #expect(try await bench.tell() == ["+fid news"])
      #expect(try await bench.known() == ["fid news"])
    }
  }

  @Test func `a token that another user has in an installation id's place is not ended with it`() async throws {
    try await with { bench in
      let ben = Sample.user()
      let installation = DeviceStore.Registration(token: "fid", platform: .android, kind: .installation)
      _ = try await bench.devices.register(installation, of: bench.ann)
      for user in [bench.ann, ben] { _ = try await bench.subscriptions.subscribe(user, to: "news") }
      _ = try await bench.subscriptions.subscribe(bench.ann, to: "offers")
      #expect(try await bench.tell() == ["+fid news", "+fid offers"])
      _ = try await bench.devices.register(.sample("fid:x"), of: ben)
      #expect(try await bench.tell() == ["+fid:x news", "-fid:x offers"])
      #expect(try await bench.known() == ["fid:x news"])
    }
  }

  @Test func `a token that changes hands, and one that begins like it, are no aliases of it`() async throws {
    try await with { bench in
      for token in ["a", "a:b"] { _ = try await bench.devices.register(.sample(token), of: bench.ann) }
      _ = try await bench.subscriptions.subscribe(bench.ann, to: "news")
      #expect(try await bench.tell() == ["+a news", "+a:b news"])
      _ = try await bench.devices.register(.sample("a"), of: Sample.user())
      #expect(try await bench.tell() == ["-a news"])
      try await bench.devices.remove(token: "a:b", of: bench.ann)
      #expect(try await bench.tell() == ["-a:b news"])
    }
  }

  @Test func `what ends before FCM was told of it leaves nothing`() async throws {
    try await with { bench in
      _ = try await bench.subscriptions.subscribe(bench.ann, to: "news")
      // An app that makes a new token each time, or a user who makes them up.
      for number in 0..<20 {
        _ = try await bench.devices.register(.sample("t\(number)", platform: .iOS, name: "phone"), of: bench.ann)
      }
      #expect(try await bench.known() == ["t19 news"])
      try await bench.subscriptions.unsubscribe(bench.ann, from: "news")
      #expect(try await bench.known() == [])
      #expect(try await bench.tell() == [])
      // A call that failed may have been heard.
      _ = try await bench.subscriptions.subscribe(bench.ann, to: "news")
      let claim = try await bench.registrations.claim(limit: 100, lease: .seconds(60))
      try await bench.registrations.settle(claim, [.again(after: .seconds(100), reason: "timeout")])
      try await bench.subscriptions.unsubscribe(bench.ann, from: "news")
      #expect(try await bench.tell() == ["-t19 news"])
    }
  }

  @Test func `a new token of the same phone inherits the topics of the one before`() async throws {
    try await with { bench in
      let app = UUID()
      let former = try await bench.devices.register(
        .init(token: "old", platform: .android, installation: app),
        of: bench.ann
      )
      let named = try await bench.devices.register(.sample("n1", platform: .iOS, name: "phone"), of: bench.ann)
      for device in [former.id, named.id] { _ = try await bench.subscriptions.subscribe(device, to: "news") }
      #expect(try await bench.tell() == ["+n1 news", "+old news"])
      _ = try await bench.devices.register(.init(token: "new", platform: .android, installation: app), of: bench.ann)
      _ = try await bench.devices.register(.sample("n2", platform: .iOS, name: "phone"), of: bench.ann)
      #expect(try await bench.tell() == ["+n2 news", "+new news", "-n1 news", "-old news"])
    }
  }

  @Test func `one device is subscribed alone, and stays so as long as its user wants it either way`() async throws {
    try await with { bench in
      let device = try await bench.devices.register(.sample("a"), of: bench.ann)
      _ = try await bench.devices.register(.sample("b"), of: bench.ann)
      let native = try await bench.devices.register(.sample("hex", platform: .apns), of: bench.ann)
      #expect(try await bench.subscriptions.subscribe(device.id, to: "news") == .subscribed)
      #expect(try await bench.subscriptions.subscribe(native.id, to: "news") == .notFCM)
      #expect(try await bench.subscriptions.subscribe(DeviceID(UUID()), to: "news") == .noDevice)
      #expect(try await bench.tell() == ["+a news"])
      _ = try await bench.subscriptions.subscribe(bench.ann, to: "news")
      #expect(try await bench.tell() == ["+b news"])
      #expect(try await bench.subscriptions.unsubscribe(device.id, from: "news"))
      #expect(try await bench.tell() == [], "the person is subscribed")
      _ = try await bench.subscriptions.subscribe(device.id, to: "news")
      try await bench.subscriptions.unsubscribe(bench.ann, from: "news")
      #expect(try await bench.tell() == ["-a news", "-b news"])
      #expect(try await !bench.subscriptions.unsubscribe(DeviceID(UUID()), from: "news"))
    }
  }

  @Test func `a user has a bounded number of topics`() async throws {
    try await with { bench in
      let few = TopicSubscriptionStore(client: bench.client, limit: 2)
      let device = try await bench.devices.register(.sample("a"), of: bench.ann)
      #expect(try await few.subscribe(bench.ann, to: "a") == .subscribed)
      #expect(try await few.subscribe(device.id, to: "b") == .subscribed)
      #expect(try await few.subscribe(bench.ann, to: "c") == .full)
      #expect(try await few.subscribe(device.id, to: "c") == .full)
      #expect(try await few.subscribe(bench.ann, to: "a") == .subscribed)
    }
  }

  // MARK: Telling FCM

  @Test func `what is claimed is one dispatcher's until its lease ends, and then another's`() async throws {
    try await with { bench in
      _ = try await bench.devices.register(.sample("a"), of: bench.ann)
      _ = try await bench.subscriptions.subscribe(bench.ann, to: "news")
      let claim = try await bench.registrations.claim(limit: 100, lease: .seconds(60))
      #expect(Bench.texts(claim) == ["+a news"])
      #expect(try await bench.tell() == [])
      // The dispatcher dies: its lease ends.
      _ = try await bench.client.query(
        "UPDATE topic_registrations SET due_at = now(), claimed_until = now() - interval '1 s'"
      )
      let second = try await bench.registrations.claim(limit: 100, lease: .seconds(60))
      #expect(Bench.texts(second) == ["+a news"])
      // What it says after all is not heard any more.
      try await bench.registrations.settle(claim, [.done])
      #expect(try await bench.client.value("SELECT due_at IS NOT NULL FROM topic_registrations"))
      try await bench.registrations.settle(second, [.done])
      #expect(try await bench.client.value("SELECT due_at IS NULL FROM topic_registrations"))
    }
  }

  @Test func `what changes while FCM is told is told when that has ended, not beside it`() async throws {
    try await with { bench in
      _ = try await bench.devices.register(.sample("a"), of: bench.ann)
      _ = try await bench.subscriptions.subscribe(bench.ann, to: "news")
      let claim = try await bench.registrations.claim(limit: 100, lease: .seconds(60))
      try await bench.subscriptions.unsubscribe(bench.ann, from: "news")
      #expect(try await bench.tell() == [], "a call may be under way")
      try await bench.registrations.settle(claim, [.done])
      #expect(try await bench.tell() == ["-a news"])
      #expect(try await bench.known() == [])
    }
  }

  @Test func `what failed waits, with the reason, and counts`() async throws {
    try await with { bench in
      _ = try await bench.devices.register(.sample("a"), of: bench.ann)
      _ = try await bench.subscriptions.subscribe(bench.ann, to: "news")
      var claim = try await bench.registrations.claim(limit: 100, lease: .seconds(60))
      try await bench.registrations.settle(claim, [.again(after: .seconds(100), reason: "UNAVAILABLE")])
      #expect(try await bench.tell() == [])
      let state: String = try await bench.client.value(
        "SELECT attempts || reason || (due_at > now() + interval '90 s')::text FROM topic_registrations"
      )
      #expect(state == "1UNAVAILABLEtrue")
      _ = try await bench.client.query("UPDATE topic_registrations SET due_at = now()")
      claim = try await bench.registrations.claim(limit: 100, lease: .seconds(60))
      #expect(claim.changes.map(\.attempts) == [1])
      try await bench.registrations.settle(claim, [.done])
      #expect(try await bench.client.value("SELECT attempts = 0 AND reason IS NULL FROM topic_registrations"))
    }
  }

  @Test func `a device that went while its subscription was planned is not subscribed`() async throws {
    try await with { bench in
      _ = try await bench.devices.register(.sample("a"), of: bench.ann)
      _ = try await bench.subscriptions.subscribe(bench.ann, to: "news")
      _ = try await bench.tell()
      // As a removal leaves it that nobody saw when it was planned.
      _ = try await bench.client.query("ALTER TABLE devices DISABLE TRIGGER USER")
      _ = try await bench.client.query("DELETE FROM devices")
      _ = try await bench.client.query("UPDATE topic_registrations SET due_at = now()")
      #expect(try await bench.tell() == ["-a news"])
    }
  }

  @Test func `a device that registers while its user is subscribed is subscribed, whoever is first`() async throws {
    try await with(connections: 8) { bench in
      try await withThrowingTaskGroup { group in
        for number in 0..<20 {
          let user = Sample.user()
          group.addTask { _ = try await bench.devices.register(.sample("t\(number)"), of: user) }
          group.addTask { _ = try await bench.subscriptions.subscribe(user, to: "news") }
        }
        try await group.waitForAll()
      }
      #expect(try await bench.tell().count == 20)
    }
  }

  // MARK: Erasure

  @Test func `of an erased user FCM is told to end everything, and nothing says whose it was`() async throws {
    try await with { bench in
      _ = try await bench.devices.register(.sample("a"), of: bench.ann)
      _ = try await bench.subscriptions.subscribe(bench.ann, to: "news")
      _ = try await bench.tell()
      let counts = try await ErasureStore(client: bench.client).erase(bench.ann, by: nil)
      #expect(counts.deleted["topic_subscriptions"] == 1)
      #expect(try await bench.client.value("SELECT count(*) FROM topic_registrations WHERE owner_id IS NULL") == 1)
      #expect(try await bench.subscriptions.subscribe(bench.ann, to: "news", asked: .now - 60) == .subscribed)
      #expect(try await bench.client.value("SELECT count(*) FROM topic_subscriptions") == 0, "it was asked for before")
      #expect(try await bench.tell() == ["-a news"])
      #expect(try await bench.known() == [])
    }
  }

  @Test func `an export has a person's topics, with the device where it is one`() async throws {
    try await with { bench in
      let device = try await bench.devices.register(.sample("a"), of: bench.ann)
      _ = try await bench.subscriptions.subscribe(bench.ann, to: "news")
      _ = try await bench.subscriptions.subscribe(device.id, to: "offers")
      let topics = try await ExportedUser(bench.ann, bench.client)["topicSubscriptions"]
      #expect(topics.compactMap { $0["topic"]?.string } == ["news", "offers"])
      #expect(topics.map { $0["deviceId"]?.string } == [nil, device.id.description])
    }
  }
}
