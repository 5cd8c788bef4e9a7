import Foundation
import TestSupport
import Testing

/// What the documents point at is there.
@Suite struct LinkTests {
  @Test func `relative links point to files that exist`() throws {
    for path in try Repository.documents() {
      let folder = Repository.root.appending(path: path).deletingLastPathComponent()
      for match in try Repository.text(path).matches(of: /\]\(([^)#\s]+)(?:#[^)\s]*)?\)/) {
        let target = String(match.1)
        guard !target.contains("://"), !target.hasPrefix("mailto:") else { continue }
        let file = folder.appending(path: target).standardizedFileURL
        #expect(Repository.exists(file), "\(path) links to \(target)")
      }
    }
  }

  @Test func `links to headings point to headings that exist`() throws {
    for path in try Repository.documents() {
      let folder = Repository.root.appending(path: path).deletingLastPathComponent()
      for match in try Repository.text(path).matches(of: /\]\(([^)#\s:]*)#([^)\s]+)\)/) {
        let file = match.1.isEmpty ? Repository.root.appending(path: path) : folder.appending(path: String(match.1))
        let headings = Self.anchors(in: try String(contentsOf: file.standardizedFileURL, encoding: .utf8))
        let isThere = headings.contains(String(match.2))
        #expect(isThere, "\(path) links to \(match.1)#\(match.2)")
      }
    }
  }

  @Test func `CONTRIBUTING names exactly the make targets that there are`() throws {
    let targets = Set(try Repository.text("Makefile").matches(of: #/(?m)^([a-z-]+):.*## /#).map { String($0.1) })
    let named = Set(try Repository.text("CONTRIBUTING.md").matches(of: /`make ([a-z-]+)`/).map { String($0.1) })
    #expect(named == targets)
  }

  @Test func `other documents name only make targets that there are`() throws {
    let targets = Set(try Repository.text("Makefile").matches(of: #/(?m)^([a-z-]+):.*## /#).map { String($0.1) })
    for path in try Repository.documents() {
      for match in try Repository.text(path).matches(of: /(?m)(?:^|`)make ([a-z-]+)/) {
        let isThere = targets.contains(String(match.1))
        #expect(isThere, "\(path) names make \(match.1)")
      }
    }
  }

  /// A heading's anchor, as hosts of Markdown make it: lower case, spaces to hyphens, punctuation left out.
  private static func anchors(in text: String) -> Set<String> {
    Set(
      text.matches(of: /(?m)^#+ +(.+?)\s*$/).map { match in
        String(match.1.lowercased().compactMap { $0 == " " ? "-" : $0.isLetter || $0.isNumber || $0 == "-" ? $0 : nil })
      }
    )
  }
}
