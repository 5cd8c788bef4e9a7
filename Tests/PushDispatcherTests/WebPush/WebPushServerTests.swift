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

/// Pushes as the dispatcher's settings make them, to Python's server of HTTP/1.x on this machine; see `push_service.py`.
@Suite(.serialized, .timeLimit(.minutes(2))) struct WebPushServerTests {
  private let browser: Browser

  init() throws {
    browser = try Browser()
  }

  /// What came of two pushes, one after the other, and what the server wrote.
  private func push(_ version: String, _ variables: [String: String] = [:]) async throws -> (
    results: [DeliveryResult], log: [[String: Any]]
  ) {
    try await TemporaryDirectory.with { directory in
      let port = try FreePort.find()
      try Self.writeKeys(into: directory)
      let log = directory.file("server.log")
      let process = try LocalProcess.spawn(
        executable: try Python.interpreter(),
        arguments: [
          Python.script("Tests/PushDispatcherTests/Support/push_service.py"), "\(port)", version,
          directory.file("server.pem"), directory.file("server-key.pem"),
        ],
        logFile: log
      )
      do {
        try await eventually("the server listens") {
          try Self.events(log).contains { $0["event"] as? String == "listening" } || !process.isRunning
        }
        let results = try await results(port: port, directory, variables)
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

  private static func writeKeys(into directory: TemporaryDirectory) throws {
    let (authorityKey, key) = (try PrivateKey(.p256), try PrivateKey(.p256))
    let authority = try Certificate.authority(named: "Test", key: authorityKey, days: 2)
    let server = try Certificate.server(
      for: ["localhost"],
      key: key.publicKey,
      days: 2,
      signedBy: (certificate: authority, key: authorityKey)
    )
    for (name, text) in [
      ("ca.pem", authority.pem), ("server.pem", server.pem), ("server-key.pem", key.pem),
      ("vapid.pem", try PrivateKey(.p256).pem),
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

  private func results(
    port: Int,
    _ directory: TemporaryDirectory,
    _ variables: [String: String]
  ) async throws -> [DeliveryResult] {
    let settings = Settings(
      variables: [
        "BELFRY_PUSH_WEBPUSH_KEY_FILE": directory.file("vapid.pem"),
        "BELFRY_PUSH_WEBPUSH_SUBJECT": "mailto:a@example.com", "BELFRY_PUSH_WEBPUSH_HOSTS": "localhost:\(port)",
        "BELFRY_PUSH_WEBPUSH_CA_FILE": directory.file("ca.pem"),
      ].merging(variables) { $1 }
    )
    let parts = try WebPushFactory(
      configuration: WebPushConfiguration(settings),
      appearance: WebAppearance(),
      receipts: .none
    ).make(devices: MemoryDevices(), logger: .quiet)
    let targeted = browser.targeted(try Browser.content(), endpoint: "https://localhost:\(port)/push/1")
    return await withThrowingTaskGroup { group in
      for service in parts.services { group.addTask { try await service.run() } }
      var results: [DeliveryResult] = []
      for _ in 0..<2 { results.append(await parts.provider.push(targeted)) }
      group.cancelAll()
      return results
    }
  }

  @Test(arguments: [("HTTP/1.1", 1), ("HTTP/1.0", 2)])
  func `a push service without HTTP/2 gets its pushes too`(version: String, connections: Int) async throws {
    let (results, log) = try await push(version, ["BELFRY_PUSH_WEBPUSH_PRIVATE_ENDPOINTS": "true"])
    #expect(results == Array(repeating: .delivered(providerID: "https://localhost/m/1"), count: 2))
    let pushes = log.filter { $0["event"] as? String == "push" }
    #expect(pushes.count == 2)
    for push in pushes {
      #expect(push["path"] as? String == "/push/1")
      let headers = try #require(push["headers"] as? [String: String])
      #expect(headers["content-encoding"] == "aes128gcm" && headers["ttl"] != nil)
      #expect(headers["authorization"]?.hasPrefix("vapid t=") == true)
      let body = try #require(Data(base64Encoded: push["body"] as? String ?? ""))
      #expect(try browser.read(Array(body)).hasPrefix(#"{"web_push":8030,"#))
    }
    #expect(log.count { $0["event"] as? String == "connection" } == connections)
  }

  @Test func `unless it is allowed, no name leads to a private network or this machine`() async throws {
    let (results, log) = try await push("HTTP/1.1")
    #expect(results.count == 2)
    for result in results {
      guard case .retry("transport: the server's address is not in the internet", _, nil, false, false) = result else {
        Issue.record("\(result)")
        continue
      }
    }
    #expect(log.map { $0["event"] as? String } == ["listening"])
  }
}
