import Foundation
import Synchronization

/// The folder of a test process's servers: in memory if there is room, for a database is made in a fifth of the time there, or
/// else under the system's temporary one. Removed when the process ends; what a killed process left behind is removed by the
/// next one.
///
/// A process holds the lock on `<folder>.lock` for as long as it lives, so a folder whose lock is free is nobody's.
package enum TestDirectory {
  private static let prefix = "belfry-tests-"
  private static let current = Mutex<(path: String, servers: Int)?>(nil)

  /// A new server's folder, to be made by it.
  ///
  /// - Parameter kind: Begins the folder's name: `rabbitmq` for `rabbitmq-1`.
  package static func forServer(_ kind: String) throws -> String {
    try current.withLock { current in
      var used = try current ?? (path: inTurn(make), servers: 0)
      used.servers += 1
      current = used
      return "\(used.path)/\(kind)-\(used.servers)"
    }
  }

  /// Does it while no other process of this user does: a lock that is new could be taken for one that was left behind.
  private static func inTurn<Result>(_ body: () throws -> Result) throws -> Result {
    let descriptor = open("\(temporary)/\(prefix)\(getuid()).turn", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0, flock(descriptor, LOCK_EX) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    defer { close(descriptor) }
    return try body()
  }

  /// Makes the process's folder, open to the server's own user, and sees to it that it goes away.
  private static func make() throws -> String {
    for parent in [memory, temporary] where FileManager.default.fileExists(atPath: parent) {
      try removeLeftovers(in: parent)
    }
    let directory = "\(try hasRoomInMemory() ? memory : temporary)/\(prefix)\(getpid())"
    guard lock(directory) else { throw POSIXError(.EBUSY) }
    try FileManager.default.createDirectory(
      atPath: directory,
      withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o711]
    )
    atexit { TestDirectory.removeCurrent() }
    return directory
  }

  private static let memory = "/dev/shm"
  private static let temporary = FileManager.default.temporaryDirectory.path

  /// Bytes: what plans are asked of has a million rows in several tables.
  private static let room: UInt64 = 8 << 30

  /// Whether the file system may grow by as much, and the machine has as much to give: what programs use, the first does not see.
  private static func hasRoomInMemory() throws -> Bool {
    var status = statvfs()
    guard statvfs(memory, &status) == 0, UInt64(status.f_bavail) * UInt64(status.f_frsize) >= room else { return false }
    let fields = try String(contentsOfFile: "/proc/meminfo", encoding: .utf8).split(separator: "\n")
    // `MemAvailable:   12345678 kB`; proc(5).
    let available = fields.first { $0.hasPrefix("MemAvailable:") }?.split(separator: " ").dropFirst().first
    return UInt64(available ?? "").map { $0 << 10 >= room } ?? false
  }

  /// Takes the folder's lock until the process ends, or says that another process has it.
  private static func lock(_ directory: String) -> Bool {
    let descriptor = open("\(directory).lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
    close(descriptor)
    return false
  }

  private static func removeLeftovers(in parent: String) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: parent)
    where name.hasPrefix(prefix) && name.hasSuffix(".lock") {
      let directory = "\(parent)/\(name.dropLast(".lock".count))"
      guard lock(directory) else { continue }
      remove(directory)
    }
  }

  private static func removeCurrent() {
    if let directory = current.withLock({ $0?.path }) { remove(directory) }
  }

  /// Ends the folder's servers at once, if there are any, and removes the folder.
  private static func remove(_ directory: String) {
    do {
      if FileManager.default.fileExists(atPath: directory) {
        for server in try FileManager.default.contentsOfDirectory(atPath: directory) {
          stopServer(in: "\(directory)/\(server)")
        }
        try FileManager.default.removeItem(atPath: directory)
      }
      unlink("\(directory).lock")
    } catch {
      // Still locked or in use: the next test process tries again.
      FileHandle.standardError.write(Data("\(directory) could not be removed: \(error)\n".utf8))
    }
  }

  /// Where servers write their process's number, and what ends them in milliseconds: SIGQUIT ends PostgreSQL and its children
  /// without a checkpoint, and RabbitMQ's helpers end when it does.
  private static let servers = [("data/postmaster.pid", SIGQUIT), ("data/belfry@localhost.pid", SIGKILL)]

  private static func stopServer(in directory: String) {
    let place = URL(filePath: directory).resolvingSymlinksInPath().path
    for (file, signal) in servers {
      guard let text = FileManager.default.contents(atPath: "\(directory)/\(file)"),
        let pid = String(decoding: text, as: UTF8.self).split(separator: "\n").first.flatMap({ Int32($0) }),
        // The number may be another process's by now.
        let folder = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/cwd"),
        "\(folder)/".hasPrefix("\(place)/")
      else { continue }
      kill(pid, signal)
      for _ in 0..<1_000 where kill(pid, 0) == 0 { usleep(5_000) }
    }
  }
}
