import Foundation

/// What this process has in memory.
public enum ResidentMemory {
  /// Bytes; proc(5), `statm`.
  public static func current() throws -> Int {
    let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
    guard fields.count > 1, let pages = Int(fields[1]) else { throw CocoaError(.fileReadCorruptFile) }
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }
}
