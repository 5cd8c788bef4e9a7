import Foundation
import Testing

@testable import LocalStack

struct FreePortTests {
  @Test func `a port that another process has is not given until that one ends`() async throws {
    // Beside those that are found.
    let ports = (0..<2).map { _ in Int.random(in: 10_000..<20_000) }
    _ = try FreePort.find()
    let other = try LocalProcess.spawn(
      executable: "/usr/bin/python3",
      arguments: ["-c", Self.reserving, FreePort.file, "\(ports[0])"],
      environment: LocalProcess.inheritedEnvironment,
      logFile: "\(FreePort.file)-\(ports[0]).log"
    )
    defer { unlink("\(FreePort.file)-\(ports[0]).log") }
    try await Condition.waitUntilReady("the other process", within: .seconds(30), log: "") {
      other.isRunning ? Files.read("\(FreePort.file)-\(ports[0]).log") == "has it\n" : nil
    }
    #expect(!FreePort.take(ports[0]))
    #expect(FreePort.take(ports[1]))
    await other.stop(signal: SIGKILL)
    #expect(FreePort.reserve(ports[0]), "the reservation ended with its process")
  }

  @Test func `a port is given once`() throws {
    let port = try FreePort.find()
    #expect(FreePort.isFree(port) && !FreePort.take(port))
  }

  private static let reserving = """
    import fcntl, sys, time
    file = open(sys.argv[1], "r+b")
    fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, int(sys.argv[2]))
    print("has it", flush=True)
    time.sleep(600)
    """
}
