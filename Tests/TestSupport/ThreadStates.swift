import Foundation

/// What the threads of another process are doing.
public enum ThreadStates {
  /// Whether each of them stands still after SIGSTOP; proc(5), `stat`. The signal reaches one thread, and that one the others: until
  /// then they go on.
  public static func areStopped(in process: Int32) throws -> Bool {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task").allSatisfy { thread in
      let text = try String(contentsOfFile: "/proc/\(process)/task/\(thread)/stat", encoding: .utf8)
      // The name before it is in parentheses, and may have any character.
      guard let name = text.lastIndex(of: ")") else { throw CocoaError(.fileReadCorruptFile) }
      return text[name...].dropFirst(2).first == "T"
    }
  }
}
