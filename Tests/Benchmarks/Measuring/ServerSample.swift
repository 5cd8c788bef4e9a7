import Foundation

/// Processor time and memory of the processes of one server.
struct ServerSample: Sendable {
  var cpuSeconds = 0.0
  /// Resident, what processes share counted once (`Pss` of proc(5), `smaps_rollup`). Buffers in the kernel are not in it.
  var residentBytes = 0

  static func take(_ processes: [Int32]) throws -> ServerSample {
    var sample = ServerSample()
    for process in processes {
      guard let stat = ProcessStat(pid: Int(process)) else { throw BenchError("process \(process) has ended") }
      let rollup = try String(contentsOfFile: "/proc/\(process)/smaps_rollup", encoding: .utf8)
      guard let match = rollup.firstMatch(of: /\nPss: +([0-9]+) kB/), let kilobytes = Int(match.1) else {
        throw BenchError("the memory of process \(process) cannot be read")
      }
      sample.cpuSeconds += stat.ownSeconds
      sample.residentBytes += kilobytes * 1_024
    }
    return sample
  }
}
