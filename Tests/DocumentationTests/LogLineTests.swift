import TestSupport
import Testing

/// Operators find what a push dispatcher warns of in the documents.
@Suite struct LogLineTests {
  /// Known from elsewhere, or told again by another line.
  private static let others = [
    "message is dead-lettered by the broker": "the dead letters say so",
    "waiting for database or broker": "readiness names them",
  ]

  @Test func `every warning and error of a push dispatcher is explained`() throws {
    let sources =
      try Repository.sources(below: "Services/PushDispatcher") + Repository.sources(below: "Shared/Dispatching")
    let pages = try ["monitoring", "topics", "push"].map { try Repository.text("docs/\($0).md") }.joined()
    let call = /logger\.(?:warning|error)\(\s*(?:"""\s*)?"?([^"\n\\:,]+)/
    var lines: [String] = []
    for path in sources {
      lines += try Repository.text(path).matches(of: call).map { String($0.output.1) }
    }
    try #require(lines.count > 15)
    for line in lines where Self.others[line] == nil {
      // A page may leave the end away: the first words are enough.
      let words = line.split(separator: " ").prefix(5).joined(separator: " ")
      #expect(pages.contains("`\(words)"), "no page explains '\(line)'")
    }
    #expect(Self.others.keys.allSatisfy(lines.contains), "what is left out is still logged")
  }
}
