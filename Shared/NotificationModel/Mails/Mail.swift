import Foundation
import WallClock

/// What a mail says: one subject, and the same content as plain text and as HTML. Pure: the same notification, catalogue and reader
/// always make the same mail.
public struct Mail: Sendable, Equatable {
  /// One line.
  public var subject: String
  public var text: String
  /// A whole document, which loads at most pictures over `https`.
  public var html: String
  /// Whether the HTML is in the catalogue's layout. If that cannot be filled in, it is in the standard one.
  public private(set) var hasOwnLayout: Bool

  /// - Parameters:
  ///   - content: Worded for the reader.
  ///   - catalogue: Has the type and the layout; nil: the standard layout, without buttons.
  ///   - reader: Whose languages and formats count.
  ///   - unsubscribe: An `https` link with which the reader stops such mails; nil if there is none.
  public init(
    _ content: NotificationContent,
    by catalogue: Catalogue?,
    for reader: Wording.Reader,
    unsubscribe: String? = nil
  ) {
    let type = catalogue?.type(.code(content.type))
    let layout = catalogue?.mailLayout ?? .standard
    let body = MailBody(content, type, catalogue?.composition, for: reader)
    let footer = MailFooter(layout, for: reader, default: catalogue?.defaults.locale, unsubscribe: unsubscribe)
    subject = body.subject
    let links = body.buttons.map { "\($0.title): \($0.link)\n" }.joined()
    text = body.text + (links.isEmpty ? "" : "\n" + links) + footer.text
    let language = body.language ?? reader.locale ?? catalogue?.defaults.locale
    (html, hasOwnLayout) = layout.html(body, footer, language: language)
  }
}

/// A button of a mail, or a link of its plain text.
struct MailButton: Equatable {
  var title: String
  /// `https`.
  var link: String
}

/// What a mail's own part says, without what is around it.
struct MailBody {
  let subject: String
  let text: String
  /// Between tags.
  let html: String
  /// In the order of the type's actions; none where several notifications are listed.
  let buttons: [MailButton]
  /// Of the catalogue's texts, those for all included; nil where somebody else's words are said, a sender's own.
  let language: String?

  /// - Parameter composition: What the catalogue says of several notifications that share no digest.
  init(
    _ content: NotificationContent,
    _ type: NotificationType?,
    _ composition: LocalizedTemplate?,
    for reader: Wording.Reader
  ) {
    // Not a sender's own words, those of several notifications, those of another version of the catalogue.
    let isTypes = type.map { content.listing == nil && Self.says(content, $0.template, content.data, reader) } ?? false
    let own = type.flatMap { isTypes ? Self.own(content, $0, reader) : nil }
    // Words that come as data, in a part that has none itself, are a sender's as well.
    let worded = type.flatMap { isTypes ? $0.template.worded : nil } ?? []
    subject = own?.subject ?? content.title
    text = own?.text ?? content.body + "\n" + (content.listing.map(Self.text) ?? "")
    html = own?.html ?? Self.html(content, worded: worded)
    language =
      if content.listing != nil {
        Self.listing(content, type, composition, reader).flatMap {
          $0.worded.isEmpty ? nil : $0.language(for: reader.locale)
        }
      } else if own != nil || !worded.isEmpty {
        own?.language ?? type?.template.language(for: reader.locale)
      } else {
        nil
      }
    let locale = type?.template.defaults.locale
    // The data of several is the latest one's: a button would lead to that one alone.
    buttons = (content.listing == nil ? type?.actions ?? [] : []).compactMap { action in
      action.link?.link(content.data).map {
        MailButton(title: action.title.text(locale: reader.locale, default: locale), link: $0)
      }
    }
  }

  /// Whether the notification says what these texts do.
  private static func says(
    _ content: NotificationContent,
    _ texts: LocalizedTemplate,
    _ data: [String: String],
    _ reader: Wording.Reader
  ) -> Bool {
    let said = texts.render(
      title: nil,
      body: nil,
      data: data,
      locale: reader.locale,
      timeZone: reader.timeZone
    )
    return said == NotificationTemplate.Text(title: content.title, body: content.body)
  }

  /// Which texts a mail says that lists several: the type's digest, or the catalogue's composition, which comes without data.
  private static func listing(
    _ content: NotificationContent,
    _ type: NotificationType?,
    _ composition: LocalizedTemplate?,
    _ reader: Wording.Reader
  ) -> LocalizedTemplate? {
    guard let digest = type?.digest, digest.channel == .email else { return composition }
    guard content.data.isEmpty, let listing = content.listing else { return digest.texts }
    let count = ["count": String(listing.items.count + listing.more)]
    return says(content, digest.texts, count, reader) ? digest.texts : composition
  }

  /// What the type's own mail texts say. Nil where it has none, and where the data lacks something, so that no blank reaches a person.
  private static func own(
    _ content: NotificationContent,
    _ type: NotificationType,
    _ reader: Wording.Reader
  ) -> (subject: String, text: String, html: String, language: String?)? {
    guard let mail = type.mailTexts, mail.missing(in: content.data).isEmpty,
      let filled = mail.fill(content, type.template, for: reader, reader.timeZone)
    else { return nil }
    let language = mail.language(for: reader.locale, default: type.template.defaults.locale)
    return (filled.subject, filled.text, filled.html, language)
  }

  /// Title and body, each line a paragraph; a digest's notifications as a list.
  ///
  /// - Parameter worded: Which of both is known to be in the document's language, and so in its direction; of what is not, each
  ///   paragraph's own first letter decides.
  static func html(_ content: NotificationContent, worded: Set<TextField>) -> String {
    func direction(_ field: TextField) -> String { worded.contains(field) ? "" : " dir=\"auto\"" }
    let style = "margin:0 0 16px;font-size:22px;line-height:1.3;font-weight:600"
    var parts = ["<h1\(direction(.title)) style=\"\(style)\">\(content.title.htmlEscaped)</h1>"]
    parts += content.body.split(whereSeparator: \.isNewline).map {
      "<p\(direction(.body))>\(String($0).htmlEscaped)</p>"
    }
    if let listing = content.listing { parts.append(html(listing)) }
    return parts.joined(separator: "\n")
  }

  /// The same in plain text, below an empty line.
  private static func text(_ listing: NotificationContent.Listing) -> String {
    var lines = listing.items.map { $0.body.isEmpty ? "- \($0.title)" : "- \($0.title): \($0.body)" }
    if listing.more > 0 { lines.append("+\(listing.more)") }
    return lines.isEmpty ? "" : "\n" + lines.joined(separator: "\n") + "\n"
  }

  private static func html(_ listing: NotificationContent.Listing) -> String {
    let line = "border-top:1px solid #9aa3af;padding:12px 0"
    var lines = listing.items.map { item in
      let body = item.body.isEmpty ? "" : "<br>\(MailLayout.markup(item.body))"
      return "<li dir=\"auto\" style=\"\(line)\"><strong>\(item.title.htmlEscaped)</strong>\(body)</li>"
    }
    // Without words, which would be in some language.
    if listing.more > 0 { lines.append("<li style=\"\(line)\">+\(listing.more)</li>") }
    return "<ul class=\"mail-list\" style=\"list-style:none;margin:0 0 16px;padding:0\">\n"
      + lines.joined(separator: "\n") + "\n</ul>"
  }
}

extension Wording.Reader {
  fileprivate var timeZone: TimeZone? { zone.flatMap { TimeZone(identifier: $0.identifier) } }
}
