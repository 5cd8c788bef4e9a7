import Foundation

/// Processor time and memory of this process and all it has started, by program.
struct ProcessSample: Sendable {
  struct Usage: Sendable {
    var cpuSeconds = 0.0
    var residentBytes = 0
  }

  private(set) var usage: [String: Usage] = [:]

  /// Reads `/proc` (proc(5), `/proc/pid/stat`).
  static func take() -> ProcessSample {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    var stats: [Int: Stat] = [:]
    for pid in names.compactMap({ Int($0) }) {
      if let stat = Stat(pid: pid) { stats[pid] = stat }  // nil: it has just ended
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

  private static func isDescendant(_ stat: Stat, of ancestor: Int, in stats: [Int: Stat]) -> Bool {
    var parent = stat.parent
    for _ in 0..<16 {
      if parent == ancestor { return true }
      guard let next = stats[parent] else { return false }
      parent = next.parent
    }
    return false
  }

  private struct Stat {
    let program: String
    let parent: Int
    let ownSeconds: Double
    let childrenSeconds: Double
    let residentBytes: Int

    init?(pid: Int) {
      guard let data = FileManager.default.contents(atPath: "/proc/\(pid)/stat") else { return nil }
      let text = String(decoding: data, as: UTF8.self)
      // The name stands in parentheses and may contain any character.
      guard let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")") else { return nil }
      let fields = text[text.index(after: close)...].split(separator: " ")
      guard fields.count > 21 else { return nil }
      func number(_ field: Int) -> Int { Int(fields[field - 3]) ?? 0 }
      let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
      // The kernel keeps 15 characters of it.
      let name = String(text[text.index(after: open)..<close])
      program = name == "belfry-simulato" ? "belfry-simulator" : name
      parent = number(4)
      ownSeconds = Double(number(14) + number(15)) / ticks
      childrenSeconds = Double(number(16) + number(17)) / ticks
      residentBytes = number(24) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
  }
}
