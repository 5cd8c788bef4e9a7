/// Something that arrived and is kept for a while.
protocol LogRecord: Sendable {
  /// Position in the order of arrival since the start, from 1; never used twice.
  var sequence: Int { get }
  /// Rough size in memory.
  var byteCount: Int { get }
}
