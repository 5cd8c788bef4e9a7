import Foundation

/// Processor time and memory of this process and all it has started, by program.
struct ProcessSample: Sendable {
  struct Usage: Sendable {
    var cpuSeconds = 0.0
    var residentBytes = 0
  }

  private(set) var usage: [String: Usage] = [:]

  static func take() -> ProcessSample {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    var stats: [Int: ProcessStat] = [:]
    for pid in names.compactMap({ Int($0) }) {
      if let stat = ProcessStat(pid: pid) { stats[pid] = stat }  // nil: it has just ended
    }
    let own = Int(getpid())
    var sample = ProcessSample()
    for (pid, stat) in stats where pid == own || isDescendant(stat, of: own, in: stats) {
      var usage = sample.usage[stat.program] ?? Usage()
      // The children of our children that have ended count for their parent; our own have been restarted or killed.
      usage.cpuSeconds += pid == own ? stat.ownSeconds : stat.ownSeconds + stat.childrenSeconds
      usage.residentBytes += stat.residentBytes
      sample.usage[stat.program] = usage
    }
    return sample
  }

  private static func isDescendant(_ stat: ProcessStat, of ancestor: Int, in stats: [Int: ProcessStat]) -> Bool {
    var parent = stat.parent
    for _ in 0..<16 {
      if parent == ancestor { return true }
      guard let next = stats[parent] else { return false }
      parent = next.parent
    }
    return false
  }
}
