import Foundation
import Testing

@testable import DevelopmentControl

/// The socket itself, with both of its ends.
@Suite(.timeLimit(.minutes(1))) struct DevelopmentSocketTests {
  /// Runs the body with a server that answers every question with its path, and sends watchers what they have seen.
  private func withServer(_ body: @escaping @Sendable (String) async throws -> Void) async throws {
    let path = "\(FileManager.default.temporaryDirectory.path)/belfry-\(UUID().uuidString.prefix(8)).sock"
    let server = try DevelopmentServer(path: path)
    let (ready, isReady) = AsyncStream.makeStream(of: Void.self)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await server.run(onListening: { isReady.yield() }) { connection in
          for try await message in connection.messages {
            switch message {
            case .ask(let question): return try await connection.send(.answer(DevelopmentAnswer(body: question.path)))
            case .seen(let sighting):
              try await connection.send(.event(DevelopmentEvent(kind: .trace, key: sighting.target, data: "{}")))
            default: continue
            }
          }
        }
      }
      for await _ in ready { break }
      try await body(path)
      group.cancelAll()
    }
    #expect(!FileManager.default.fileExists(atPath: path), "the socket is removed at the end")
  }

  @Test func `questions are answered, several at once, to its owner alone`() async throws {
    try await withServer { path in
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
      let client = DevelopmentClient(path: path)
      try await withThrowingTaskGroup(of: String.self) { group in
        for number in 0..<20 {
          group.addTask { try await client.ask(DevelopmentQuestion(method: "GET", path: "\(number)")).body }
        }
        let answers = try await group.reduce(into: Set<String>()) { $0.insert($1) }
        #expect(answers == Set((0..<20).map(String.init)))
      }
    }
  }

  @Test func `a watcher reports and is notified`() async throws {
    try await withServer { path in
      try await DevelopmentClient(path: path).watch { connection in
        try await connection.send(.seen(Sighting(kind: .push, at: 1, target: "phone", notification: nil)))
        for try await message in connection.messages {
          #expect(message == .event(DevelopmentEvent(kind: .trace, key: "phone", data: "{}")))
          return
        }
        Issue.record("the connection ended")
      }
    }
  }

  @Test func `a line without end closes its connection, and no other`() async throws {
    try await withServer { path in
      let client = DevelopmentClient(path: path)
      let endless = DevelopmentQuestion(method: "GET", path: String(repeating: "x", count: LineDecoder.maximumLength))
      await #expect(throws: (any Error).self) { try await client.ask(endless) }
      let answer = try await client.ask(DevelopmentQuestion(method: "GET", path: "still there"))
      #expect(answer.body == "still there")
    }
  }

  /// A connection that nobody has served yet once took the process with it (SIGILL), which the simulator's reconnecting could hit.
  @Test func `an end while clients connect takes nothing else with it`() async throws {
    for _ in 0..<20 {
      try await withServer { path in
        for _ in 0..<50 {
          let socket = try RawSocket(path: path)
          withExtendedLifetime(socket) {}
        }
      }
    }
  }

  @Test func `a path that no socket can have is refused`() async {
    let path = "/tmp/" + String(repeating: "x", count: 103)
    #expect(throws: DevelopmentSocketError.pathTooLong(path)) { try DevelopmentServer(path: path) }
    await #expect(throws: DevelopmentSocketError.pathTooLong(path)) {
      try await DevelopmentClient(path: path).ask(DevelopmentQuestion(method: "GET", path: ""))
    }
  }

  @Test func `where nobody listens there is an error`() async {
    await #expect(throws: (any Error).self) {
      try await DevelopmentClient(path: "/tmp/belfry-nobody.sock").ask(DevelopmentQuestion(method: "GET", path: ""))
    }
  }
}

/// A client that connects and says nothing: closed when it is let go.
private final class RawSocket {
  private let descriptor: Int32

  init(path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(status == 0, "errno \(errno)")
  }

  deinit { close(descriptor) }
}
