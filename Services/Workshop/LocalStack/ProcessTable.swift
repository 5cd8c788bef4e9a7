import Foundation

/// What `/proc` says about processes.
enum ProcessTable {
  /// The children of a process, and theirs.
  static func descendants(of pid: Int32) -> [Int32] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    var children: [Int32: [Int32]] = [:]
    for process in names.compactMap({ Int32($0) }) {
      if let parent = status(of: process)?.parent { children[parent, default: []].append(process) }
    }
    var found: [Int32] = []
    var next = [pid]
    while let process = next.popLast() {
      let its = children[process] ?? []
      found += its
      next += its
    }
    return found
  }

  /// Waits until none of the processes is alive, ten seconds at most; goes on when the task is cancelled.
  static func waitUntilGone(_ processes: [Int32]) async {
    for _ in 0..<1_000 where processes.contains(where: isAlive) {
      await withCheckedContinuation { continuation in
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.01) { continuation.resume() }
      }
    }
  }

  /// Whether the process exists and is not a mere entry waiting to be read by its parent.
  static func isAlive(_ pid: Int32) -> Bool {
    guard let status = status(of: pid) else { return false }
    return status.state != "Z" && status.state != "X"
  }

  /// The name of the program that the process runs.
  static func program(of pid: Int32) -> String? {
    Files.read("/proc/\(pid)/comm")?.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private static func status(of pid: Int32) -> (state: Character, parent: Int32)? {
    // "123 (name, with any character) S 1 …": the name ends with the last parenthesis.
    guard let line = Files.read("/proc/\(pid)/stat"), let end = line.lastIndex(of: ")") else { return nil }
    let fields = line[line.index(after: end)...].split(separator: " ")
    guard fields.count > 1, let state = fields[0].first, let parent = Int32(fields[1]) else { return nil }
    return (state, parent)
  }
}
