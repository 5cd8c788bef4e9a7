import Cryptography
import Dispatching
import Foundation
import LocalStack
import NotificationModel
import NotificationQueue
import ServiceLifecycle
import Settings
import TestSupport
import Testing

@testable import PushDispatcher

/// Against a server of h2, whose PyJWT verifies our tokens and which objects to whatever Apple would; see `apns_server.py`.
@Suite(.serialized, .timeLimit(.minutes(2))) struct APNsServerTests {
  private static let topic = "com.example.app"

  /// What came of the pushes to these tokens, sent at once, and what the server wrote.
  private func push(_ tokens: [String]) async throws -> (results: [DeliveryResult], log: [[String: Any]]) {
    try await TemporaryDirectory.with { directory in
      let port = try FreePort.find()
      let provider = try PrivateKey(.p256)
      try Self.write(provider, into: directory)
      let log = directory.file("server.log")
      let process = try LocalProcess.spawn(
        executable: try Python.interpreter(),
        arguments: [
          Python.script("Tests/PushDispatcherTests/Support/apns_server.py"), "\(port)", directory.file("server.pem"),
          directory.file("server-key.pem"), directory.file("key.p8"), "KEY1234567", "TEAM123456", Self.topic,
        ],
        logFile: log
      )
      do {
        try await eventually("the server listens") {
          try Self.events(log).contains { $0["event"] as? String == "listening" } || !process.isRunning
        }
        let results = try await results(tokens, port: port, directory)
        process.signal(SIGKILL)
        await process.waitForExit()
        return (results, try Self.events(log))
      } catch {
        process.signal(SIGKILL)
        await process.waitForExit()
        throw error
      }
    }
  }

  private static func write(_ provider: PrivateKey, into directory: TemporaryDirectory) throws {
    let (authorityKey, key) = (try PrivateKey(.p256), try PrivateKey(.p256))
    let authority = try Certificate.authority(named: "Test", key: authorityKey, days: 2)
    let server = try Certificate.server(
      for: ["localhost"],
      key: key.publicKey,
      days: 2,
      signedBy: (certificate: authority, key: authorityKey)
    )
    for (name, text) in [
      ("ca.pem", authority.pem), ("server.pem", server.pem), ("server-key.pem", key.pem), ("key.p8", provider.pem),
    ] {
      try Data(text.utf8).write(to: URL(filePath: directory.file(name)))
    }
  }

  private static func events(_ log: String) throws -> [[String: Any]] {
    try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").compactMap { line in
      // The last one may be half written, and Python may write what went wrong.
      (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any]
    }
  }

  private func results(_ tokens: [String], port: Int, _ directory: TemporaryDirectory) async throws -> [DeliveryResult]
  {
    let settings = Settings(variables: [
      "BELFRY_PUSH_APNS_TEAM_ID": "TEAM123456", "BELFRY_PUSH_APNS_TOPIC": Self.topic,
      "BELFRY_PUSH_APNS_ENDPOINT": "https://localhost:\(port)", "BELFRY_PUSH_APNS_KEY_ID": "KEY1234567",
      "BELFRY_PUSH_APNS_KEY_FILE": directory.file("key.p8"), "BELFRY_PUSH_APNS_CA_FILE": directory.file("ca.pem"),
    ])
    let parts = try APNsFactory(configuration: APNsConfiguration(settings)).make(
      devices: MemoryDevices(),
      logger: .quiet
    )
    let content = try Self.content()
    return await withThrowingTaskGroup { group in
      for service in parts.services { group.addTask { try await service.run() } }
      let results = await withTaskGroup { pushes in
        for (index, token) in tokens.enumerated() {
          pushes.addTask { (index, await parts.provider.push(Self.targeted(token, content))) }
        }
        return await pushes.reduce(into: [Int: DeliveryResult]()) { $0[$1.0] = $1.1 }
      }
      group.cancelAll()
      return tokens.indices.compactMap { results[$0] }
    }
  }

  private static func content() throws -> NotificationContent {
    let type = try #require(try Catalogue().type(.code(12)))
    return NotificationContent(
      type: type,
      text: type.template.render(title: "Hello", body: "World", data: [:]),
      data: ["transactionId": "t-1"],
      relatedEntityType: nil,
      relatedEntityId: nil,
      collapseKey: nil,
      createdAt: Date.now,
      expiresAt: Date.now + 3_600
    )
  }

  private static func targeted(_ token: String, _ content: NotificationContent) -> TargetedDelivery {
    let user = UserID(UUID())
    let target = DispatchMessage.Target(id: UUID().uuidString.lowercased(), address: token, platform: 11)
    let delivery = DispatchMessage.Delivery(
      notificationId: NotificationID(request: RequestID(now: .now), recipient: user),
      userId: user,
      content: 0,
      badge: 3,
      targets: [target]
    )
    return TargetedDelivery(delivery: delivery, target: target, content: content)
  }

  /// A token that begins with these digits, and with a number of its own.
  private func token(_ start: String, _ number: Int) -> String {
    start + String(format: "%06x", number) + String(repeating: "0f", count: 28)
  }

  @Test func `300 pushes at once are accepted without an objection, with one token, as the streams allow`() async throws
  {
    let (results, log) = try await push((0..<300).map { token("00", $0) })
    #expect(results.count == 300)
    for result in results {
      guard case .delivered(let id, nil) = result else {
        Issue.record("\(result)")
        continue
      }
      #expect(id.flatMap { UUID(uuidString: $0) } != nil)
    }
    let pushes = log.filter { $0["event"] as? String == "push" }
    #expect(pushes.count == 300)
    #expect(log.count { $0["event"] as? String == "violation" } == 0)
    #expect(pushes.flatMap { $0["objections"] as? [String] ?? ["none are told"] } == [])
    #expect(Set(pushes.compactMap { $0["connection"] as? Int }).isSubset(of: [1, 2]))
    let headers = pushes.compactMap { $0["headers"] as? [String: Any] }
    #expect(Set(headers.compactMap { $0["authorization"] as? String }).count == 1)
    #expect(Set(headers.compactMap { $0["apns-id"] as? String }).count == 300)
    #expect(pushes.allSatisfy { ($0["body"] as? [String: Any])?["transactionId"] as? String == "t-1" })
  }

  @Test func `refusals that cost a connection its streams hold up nobody, and each gets its own consequence`()
    async throws
  {
    // Few enough for the devices to count as gone.
    let starts = (0..<200).map { $0.isMultiple(of: 30) ? "aa" : $0.isMultiple(of: 40) ? "bb" : "00" }
    let (results, log) = try await push(starts.enumerated().map { token($0.element, $0.offset) })
    #expect(results.count == 200)
    for (start, result) in zip(starts, results) {
      switch (start, result) {
      case ("00", .delivered), ("aa", .rejected("BadDeviceToken", true, _, _)),
        ("bb", .rejected("Unregistered", true, _, _)):
        break
      default: Issue.record("\(start): \(result)")
      }
    }
    #expect(log.count { $0["event"] as? String == "violation" } == 0)
  }

  @Test func `what a goodbye leaves undone goes over another connection`() async throws {
    let (results, log) = try await push([token("dd", 0)])
    guard case .delivered? = results.first else {
      Issue.record("\(results)")
      return
    }
    #expect(log.compactMap { $0["connection"] as? Int } == [2])
  }

  @Test func `a failure of APNs is tried later, and counts as its trouble`() async throws {
    let (results, _) = try await push([token("cc", 0)])
    #expect(results == [.retry(reason: "ServiceUnavailable", first: .seconds(900), isProviderTrouble: true)])
  }
}
