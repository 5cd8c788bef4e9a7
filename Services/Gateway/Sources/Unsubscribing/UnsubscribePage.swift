import Cryptography
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// The page of a link to unsubscribe: a heading, a few sentences, and at most one button. It has no script, loads nothing, and is readable in
/// the dark and on small screens.
struct UnsubscribePage {
  enum State: Equatable {
    /// The mails come; a button stops them.
    case asks
    /// They were stopped by a link; a button takes it back.
    case unsubscribed
    /// They do not come, and no link has stopped them.
    case isOff
    /// It was taken back; a button stops them again.
    case takenBack
    /// They are wanted and do not come, for the address gets none of them; a button stops them all the same. Not whether their reader has
    /// called a mail spam: whoever has the link reads this.
    case isSuppressed
    case isErased
    case isInvalid, isExpired
    case hasFailed
  }

  let state: State
  /// Nil where the link does not say.
  var category: String?
  let texts: UnsubscribeTexts

  /// The page's own address is the form's: whatever path a proxy has given it.
  private enum Button {
    case unsubscribe, takeBack
  }

  private static let style = """
    :root{color-scheme:light dark;--ink:#1d1f23;--soft:#5a6069;--paper:#f4f5f7;--card:#fff;--line:#d9dce1;--tone:#1f5fbf;--on:#fff}\
    @media(prefers-color-scheme:dark){:root{--ink:#eceef1;--soft:#a9b0ba;--paper:#15171a;--card:#202327;--line:#3a3f46;--tone:#8ab4f8;\
    --on:#10131a}}\
    *{box-sizing:border-box}body{margin:0;padding:1rem;background:var(--paper);color:var(--ink);\
    font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}\
    main{max-width:32rem;margin:8vh auto 0;padding:1.5rem;background:var(--card);border:1px solid var(--line);border-radius:.75rem;\
    overflow-wrap:anywhere}h1{margin:0 0 .75rem;font-size:1.375rem;line-height:1.25}p{margin:0 0 .75rem}p.soft{color:var(--soft)}\
    form{margin:1.25rem 0 0}button{min-height:2.75rem;padding:.5rem 1.25rem;border:1px solid var(--tone);border-radius:.5rem;\
    background:var(--tone);color:var(--on);font:inherit;font-weight:600;cursor:pointer}\
    button.quiet{background:none;color:var(--tone)}button:focus-visible{outline:3px solid var(--tone);outline-offset:2px}
    """

  private static let policy: String = {
    let hash = Data(SHA256.hash(Array(style.utf8))).base64EncodedString()
    return "default-src 'none'; style-src 'sha256-\(hash)'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
  }()

  func response(_ status: HTTPResponse.Status = .ok) -> Response {
    Response(
      status: status,
      headers: [
        .contentType: "text/html; charset=utf-8", .cacheControl: "no-store", .contentSecurityPolicy: Self.policy,
        // The link is in the address, and whoever has it may use it.
        .referrerPolicy: "no-referrer", .robotsTag: "noindex", .xContentTypeOptions: "nosniff",
      ],
      body: .init(byteBuffer: ByteBuffer(string: html))
    )
  }

  var html: String {
    let (heading, sentences, button) = content
    let paragraphs = sentences.enumerated().map { index, text in
      "<p\(index > 0 ? " class=\"soft\"" : "")>\(filled(text))</p>"
    }
    return """
      <!DOCTYPE html>
      <html lang="\(texts.language)">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="robots" content="noindex">
      <title>\(filled(heading))</title>
      <style>\(Self.style)</style>
      </head>
      <body>
      <main>
      <h1>\(filled(heading))</h1>
      \(paragraphs.joined(separator: "\n"))
      \(button.map(form) ?? "")
      </main>
      </body>
      </html>

      """
  }

  private var content: (heading: String, sentences: [String], button: Button?) {
    switch state {
    case .asks: (texts.ask, [texts.stops, texts.goesOn], .unsubscribe)
    case .unsubscribed: (texts.unsubscribed, [texts.stopped, texts.goesOn], .takeBack)
    case .isOff: (texts.isOff, [texts.stopped, texts.goesOn], nil)
    case .takenBack: (texts.takenBack, [texts.comesAgain], .unsubscribe)
    case .isSuppressed: (texts.isOff, [texts.suppressed, texts.senderAlone], .unsubscribe)
    case .isErased: (texts.nothingKept, [texts.nothingKeptWhy], nil)
    case .isInvalid: (texts.invalid, [texts.useNewer], nil)
    case .isExpired: (texts.expired, [texts.useNewer], nil)
    case .hasFailed: (texts.failed, [texts.tryAgain], nil)
    }
  }

  private func form(_ button: Button) -> String {
    let (field, style, text) =
      switch button {
      case .unsubscribe:
        (UnsubscribeForm.oneClick, state == .asks ? "" : " class=\"quiet\"", texts.unsubscribe)
      case .takeBack: (UnsubscribeForm.takeBack, " class=\"quiet\"", texts.takeBack)
      }
    return """
      <form method="post"><input type="hidden" name="\(field.name)" value="\(field.value)">\
      <button\(style)>\(filled(text))</button></form>
      """
  }

  private func filled(_ text: String) -> String {
    Self.escaped(text.replacing("{category}", with: category ?? ""))
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}
