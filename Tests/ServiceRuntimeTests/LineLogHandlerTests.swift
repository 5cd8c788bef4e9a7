import Logging
import Synchronization
import Testing

@testable import ServiceRuntime

@Suite struct LineLogHandlerTests {
  private final class Lines: Sendable {
    let written = Mutex<[String]>([])
  }

  /// What is written while `body` logs, without the time.
  private func lines(_ body: (Logger) -> Void) -> [String] {
    let lines = Lines()
    body(
      Logger(label: "belfry-test") { label in
        LineLogHandler(label: label) { line in lines.written.withLock { $0.append(line) } }
      }
    )
    return lines.written.withLock { $0.map { String($0.drop { $0 != " " }.dropFirst()) } }
  }

  @Test func `an event is one line with its metadata in order`() {
    let written = lines { logger in
      var logger = logger
      logger[metadataKey: "hb.request.id"] = "7"
      logger[metadataKey: "kind"] = "former"
      logger.warning("broker", metadata: ["error": "away", "kind": "latter"])
    }
    #expect(
      written == ["warning belfry-test: error=away hb.request.id=7 kind=latter [ServiceRuntimeTests] broker\n"]
    )
  }

  @Test(arguments: ["\n", "\r\n", "\u{0}", "\u{1B}[2K", "\u{7F}", "\u{85}", "\u{2028}", "\u{2029}", "\u{202E}"])
  func `what would break a line or steer a terminal is escaped, wherever it stands`(_ text: String) {
    let written = lines { logger in
      logger.info("a\(text)b", metadata: ["path": "c\(text)d", "nested": ["e\(text)f"], "k\(text)": "v"])
    }
    #expect(written.count == 1)
    let line = written[0].dropLast()
    #expect(line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
    #expect(!line.unicodeScalars.contains { $0.properties.isBidiControl })
    #expect(!line.contains { $0.isNewline })
  }
}
