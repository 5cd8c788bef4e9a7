import Foundation
import HTTPTypes
import HummingbirdCore
import TestSupport
import Testing

@testable import Gateway

/// How the page of a link to unsubscribe looks in a browser, under its own policy; pictures are in .belfry/mails afterwards.
@Suite(.timeLimit(.minutes(1))) struct UnsubscribeLooksTests {
  private struct Document: Encodable {
    let html: String
    let headers: [String: String]

    init(_ page: UnsubscribePage) {
      html = page.html
      headers = Dictionary(page.response().headers.map { ($0.name.rawName, $0.value) }) { $1 }
    }
  }

  /// English, German, and the language that says most.
  private static var languages: [UnsubscribeTexts] {
    func length(_ texts: UnsubscribeTexts) -> Int {
      [UnsubscribePage.State.asks, .unsubscribed, .takenBack, .isInvalid].map {
        UnsubscribePage(state: $0, category: "", texts: texts).html.count
      }.reduce(0, +)
    }
    let others = UnsubscribeTexts.all.filter { !["en", "de"].contains($0.language) }
    return [.english, .german] + (others.max { length($0) < length($1) }.map { [$0] } ?? [])
  }

  private static var pages: [String: UnsubscribePage] {
    var pages: [String: UnsubscribePage] = [:]
    let states: [(String, UnsubscribePage.State)] = [
      ("look", .asks), ("unsubscribed", .unsubscribed), ("taken-back", .takenBack), ("not-valid", .isInvalid),
    ]
    for texts in languages {
      for (name, state) in states {
        pages["\(name)-\(texts.language)"] = UnsubscribePage(state: state, category: "Newsletter", texts: texts)
      }
    }
    // Nowhere in it may a line break.
    let wide = String(repeating: "Donaudampfschifffahrt", count: 3)
    pages["wide"] = UnsubscribePage(state: .asks, category: wide, texts: .german)
    return pages
  }

  @Test func `the page can be read by day, by night and on a phone, in the language that says most, too`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "belfry-pages-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let pages = Self.pages
    #expect(pages.count == 13)
    for (name, page) in pages {
      try JSONEncoder().encode(Document(page)).write(to: folder.appending(path: "\(name).json"))
    }
    let pictures = Repository.root.appending(path: ".belfry/mails").path
    let lines = try Python.lines(of: "Tests/GatewayTests/unsubscribe_looks.py", [folder.path, pictures])
    let objections = try lines.map { try JSONDecoder().decode(String.self, from: $0) }
    #expect(objections.isEmpty, "\(objections.joined(separator: "\n"))")
    #expect(FileManager.default.fileExists(atPath: "\(pictures)/unsubscribe-look-de-night.png"))
  }
}
