import Foundation
import Logging
import TerminalText

/// Writes each event as one line on standard error: time, level, label, metadata, source, message.
///
/// Anybody's text may stand in an event (a broker's reason, a path, a token's subject), so whatever would break the line or
/// steer a terminal is escaped: nobody forges a line. Metadata is put into words only when a line is written; the HTTP
/// server sets some for every request.
struct LineLogHandler: LogHandler {
  var logLevel = Logger.Level.info
  var metadata: Logger.Metadata = [:]
  var metadataProvider: Logger.MetadataProvider?

  private let label: String
  private let output: @Sendable (String) -> Void

  /// - Parameter output: Where lines go.
  init(label: String, output: @escaping @Sendable (String) -> Void = Self.writeToStandardError) {
    self.label = label
    self.output = output
  }

  subscript(metadataKey key: String) -> Logger.MetadataValue? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    var values = metadata
    if let provided = metadataProvider?.get() { values.merge(provided) { $1 } }
    if let own = event.metadata { values.merge(own) { $1 } }
    if let error = event.error { values["error"] = "\(error)" }
    let words = values.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
    let time = Date.now.formatted(.iso8601)
    let line = "\(time) \(event.level) \(label):\(words) [\(event.source)] \(event.message)"
    output(line.escapedForTerminal() + "\n")
  }

  /// One call for each line, so that those of several threads do not mix. An error has nowhere to be reported.
  private static let writeToStandardError: @Sendable (String) -> Void = { line in
    var line = line
    line.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
