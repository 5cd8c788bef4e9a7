import Foundation
import LocalStack
import NotificationModel
import Testing

/// A foreign SignalR client (pysignalr or signalrcore) in a process of its own, connected to the hub.
final class HubClient {
  enum Library: String {
    case pysignalr, signalrcore
  }

  private let process: LocalProcess
  private let log: String

  /// Starts the client and waits until it is connected. It ends by itself after `count` invocations.
  static func connect(_ library: Library, to stack: TestStack, as person: Person, count: Int) async throws -> HubClient
  {
    let log = FileManager.default.temporaryDirectory.appending(path: "belfry-hub-\(UUID().uuidString).log").path
    Cleanup.remove(log)
    let (python, script) = try Python.command("Tests/Conformance/\(library.rawValue)_client.py")
    let process = try LocalProcess.spawn(
      executable: python,
      arguments: [
        script, "--url", stack.stack.hubURL, "--token", person.token, "--count", String(count), "--deadline", "60",
      ],
      environment: Python.environment,
      logFile: log
    )
    let client = HubClient(process: process, log: log)
    try await waitUntil("\(library) is connected", within: .seconds(30)) {
      try client.lines().contains { $0["event"] as? String == "connected" }
    }
    return client
  }

  private init(process: LocalProcess, log: String) {
    self.process = process
    self.log = log
  }

  deinit { process.signal(SIGKILL) }

  /// Invocations so far: target and arguments.
  func invocations() throws -> [(target: String, arguments: [Any])] {
    try lines().compactMap { line in
      guard line["event"] as? String == "invocation", let target = line["target"] as? String else { return nil }
      return (target, line["arguments"] as? [Any] ?? [])
    }
  }

  /// Notifications received.
  func notifications() throws -> [[String: Any]] {
    try invocations().filter { $0.target == "ReceiveNotification" }.compactMap { $0.arguments.first as? [String: Any] }
  }

  /// What the client's output holds besides its chatter.
  private func lines() throws -> [[String: Any]] {
    try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").compactMap { line in
      (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any]
    }
  }
}
