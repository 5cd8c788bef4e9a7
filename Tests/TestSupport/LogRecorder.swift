public import Logging
import Synchronization

/// Keeps what is logged, for tests that look at it.
public final class LogRecorder: Sendable {
  public struct Entry: Sendable {
    public let level: Logger.Level
    /// Message and metadata.
    public let text: String
  }

  private let entries = Mutex<[Entry]>([])

  public var all: [Entry] { entries.withLock(\.self) }

  public init() {}

  public var logger: Logger {
    var logger = Logger(label: "test") { _ in Handler(recorder: self) }
    logger.logLevel = .trace
    return logger
  }

  private struct Handler: LogHandler {
    let recorder: LogRecorder
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .trace

    subscript(metadataKey key: String) -> Logger.MetadataValue? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let all = metadata.merging(event.metadata ?? [:]) { $1 }
      recorder.entries.withLock { $0.append(Entry(level: event.level, text: "\(event.message) \(all)")) }
    }
  }
}
