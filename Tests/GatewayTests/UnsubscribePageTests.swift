import Foundation
import HTTPTypes
import HummingbirdCore
import NotificationModel
import Testing

@testable import Gateway

@Suite struct UnsubscribePageTests {
  private static let states: [UnsubscribePage.State] = [
    .asks, .unsubscribed, .isOff, .takenBack, .isSuppressed, .isErased, .isInvalid, .isExpired, .hasFailed,
  ]

  @Test func `a category's name cannot become markup, and stands where the page names it`() {
    let page = UnsubscribePage(state: .asks, category: #"<b onclick="x">A & B</b>"#, texts: .english).html
    #expect(page.contains("<h1>Unsubscribe from “&lt;b onclick=&quot;x&quot;&gt;A &amp; B&lt;/b&gt;”?</h1>"))
    #expect(!page.contains("<b "))
  }

  @Test func `no page has a script, loads anything or leaves a place unfilled, in any language`() {
    for texts in UnsubscribeTexts.all {
      for state in Self.states {
        let html = UnsubscribePage(state: state, category: "News", texts: texts).html
        for part in ["<script", "http:", "https:", "src=", "url(", "@import", "{category}", "onclick"] {
          #expect(!html.contains(part), "\(part) in \(state) in \(texts.language)")
        }
        #expect(html.contains(#"<html lang="\#(texts.language)">"#) && html.contains("prefers-color-scheme:dark"))
        #expect(html.components(separatedBy: "<button").count <= 2, "one button at most")
        let names = ![.isErased, .isInvalid, .isExpired, .hasFailed].contains(state)
        #expect(html.contains("News") == names, "\(state) in \(texts.language)")
      }
    }
  }

  @Test func `whoever is asked and whoever has unsubscribed reads what stops, and what goes on, in any language`() {
    for texts in UnsubscribeTexts.all {
      func page(_ state: UnsubscribePage.State) -> String {
        UnsubscribePage(state: state, category: "News", texts: texts).html
      }
      func filled(_ text: String) -> String { text.replacing("{category}", with: "News") }
      let (stops, stopped) = (filled(texts.stops), filled(texts.stopped))
      for text in [stops, stopped, texts.goesOn] { #expect(text.count > 40, "\(texts.language): \(text)") }
      #expect(Set([stops, stopped, texts.goesOn]).count == 3, "\(texts.language)")

      let asks = page(.asks)
      #expect(asks.contains("<p>\(stops)</p>\n<p class=\"soft\">\(texts.goesOn)</p>"), "\(texts.language)")
      for state in [UnsubscribePage.State.unsubscribed, .isOff] {
        let html = page(state)
        #expect(html.contains("<p>\(stopped)</p>\n<p class=\"soft\">\(texts.goesOn)</p>"), "\(texts.language)")
        #expect(!html.contains(stops), "\(state) in \(texts.language): it is so already")
      }
      // Where nothing stops, nothing else goes on instead.
      for state in [UnsubscribePage.State.takenBack, .isSuppressed, .isErased, .isInvalid, .isExpired, .hasFailed] {
        let html = page(state)
        for text in [stops, stopped, texts.goesOn] {
          #expect(!html.contains(text), "\(state) in \(texts.language): \(text)")
        }
      }
    }
  }

  @Test func `whoever clicks the built-in words of a mail's link reads a page in that language`() throws {
    let catalogue = try Catalogue(
      overrides: """
        version: 1
        defaults: { channels: { email: true }, priority: normal, timeToLiveDays: 1, title: T, body: B }
        categories: [{ name: News, mail: { unsubscribe: true } }]
        types: [{ code: 900, name: Letter, category: News }]
        """
    )
    for texts in UnsubscribeTexts.all {
      let preview = #"{"type":900,"locale":"\#(texts.language)"}"#
      let mail = try #require(try FieldReader.read(Preview.self, from: Array(preview.utf8)).render(in: catalogue).mail)
      let words = mail.text.split(separator: "\n").last?.prefix { $0 != ":" }
      #expect(words.map(String.init) == texts.unsubscribe, "\(texts.language): as the page's button")
    }
    #expect(UnsubscribeTexts.all.count == 8)
  }

  @Test func `French does not break its lines within quotation marks, nor before a question mark`() {
    for state in Self.states {
      let html = UnsubscribePage(state: state, category: "News", texts: .french).html
      #expect(!html.contains("« ") && !html.contains(" »") && !html.contains(" ?"), "\(state)")
    }
    #expect(
      UnsubscribePage(state: .asks, category: "News", texts: .french).html
        .contains("<h1>Se désabonner de «\u{a0}News\u{a0}»\u{202f}?</h1>")
    )
  }

  @Test func `the page's policy lets in its own style alone`() throws {
    let page = UnsubscribePage(state: .asks, category: "News", texts: .english)
    let policy = try #require(page.response().headers[.contentSecurityPolicy])
    let found = try #require(policy.prefixMatch(of: #/default-src 'none'; style-src 'sha256-([^']+)'; /#))
    let style = try #require(page.html.firstMatch(of: #/(?s)<style>(.*?)<\/style>/#))
    let hash = try #require(Data(base64Encoded: String(found.1)))
    // An entity tag is the beginning of the same hash.
    let digits = hash.prefix(16).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    #expect(hash.count == 32 && digits == EntityTag(of: Array(String(style.1).utf8)).text)
    #expect(!policy.contains("script-src"))
    #expect(policy.contains("frame-ancestors 'none'") && policy.contains("form-action 'self'"))
  }

  @Test(arguments: [
    (["de-AT"], "de"), (["de_CH"], "de"), (["FR"], "fr"), (["ja", "es-MX"], "es"), (["nl"], "nl"), (["ja"], "en"),
    ([], "en"),
    (["", "*"], "en"), (["deu"], "en"),
  ])
  func `the first language that there is, else English`(_ locales: [String], _ language: String) {
    #expect(UnsubscribeTexts.of(locales).language == language)
  }
}
