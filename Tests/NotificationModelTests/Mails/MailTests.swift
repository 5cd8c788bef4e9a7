import Foundation
import Testing

@testable import NotificationModel

/// What mails say, by type, locale and layout.
@Suite struct MailTests {
  private static let types = """
    version: 1
    currency: EUR
    defaults: { channels: { email: true }, priority: normal, timeToLiveDays: 1, title: T, body: B }
    types:
    - code: 900
      name: OrderShipped
      category: Orders
      title: { en: "Order {{order}} is on its way", de: "Bestellung {{order}} ist unterwegs" }
      body: { en: "It costs {{price|money}}.", de: "Sie kostet {{price|money}}." }
      mail:
        subject: { en: "{{order}} has left us", de: "{{order}} ist verschickt" }
        text: { en: "Dear {{name}},\\norder {{order}} is on its way.", de: "Hallo {{name}},\\n{{order}} ist unterwegs." }
        html: { en: "<h1>{{order}}</h1><p>Dear {{name}}</p>", de: "<h1>{{order}}</h1><p>Hallo {{name}}</p>" }
      actions:
      - { id: TRACK, title: { en: Track it, de: Verfolgen }, link: "https://shop.example/o/{{order}}" }
      - { id: MUTE, title: Mute }
    - { code: 901, name: Plain, category: Orders, title: "{{title}}", body: "{{body}}" }
    - { code: 902, name: Code, category: Orders, title: "Your code", body: "It is {{code}}." }
    - { code: 903, name: Arabic, category: Orders, title: { en: "News", ar: "أخبار" }, body: { en: "As {{x}}", ar: "كما {{x}}" } }
    - code: 904
      name: Mailed
      category: Orders
      title: "{{x}}"
      body: "{{x}}"
      mail: { text: { en: "News", he: "חדשות" } }
    - { code: 905, name: Said, category: Orders, title: "New message from {{name}}", body: "{{text}}" }
    - code: 906
      name: Subject
      category: Orders
      title: "{{x}}"
      body: "Look."
      mail: { subject: "{{x}}!", text: "{{x}}" }

    """
  private static let layout = """
    mailLayout:
      name: The Shop & Co
      logo: https://shop.example/logo.png
      logoWidth: 120
      link: https://shop.example/
      colors: { accent: "#0f766e", background: "#f8fafc" }
      darkColors: { accent: "#5eead4" }
      footer: { en: "You ordered from us.", de: "Sie haben bei uns bestellt." }
      address: "The Shop\\nMain Street 1"
      unsubscribe: { en: Stop these, de: Keine mehr }
    """

  private func mail(
    _ code: Int = 901,
    _ data: [String: String],
    layout: String = "",
    locale: String? = nil,
    title: String? = nil,
    unsubscribe: String? = nil,
    listing: NotificationContent.Listing? = nil
  ) throws -> Mail {
    let catalogue = try Catalogue(overrides: Self.types + layout)
    let type = try #require(catalogue.type(.code(code)))
    var content = NotificationContent(
      type: type,
      text: type.template.render(title: title, body: nil, data: data, locale: locale),
      data: data,
      relatedEntityType: nil,
      relatedEntityId: nil,
      collapseKey: nil,
      createdAt: Date(timeIntervalSince1970: 0),
      expiresAt: Date(timeIntervalSince1970: 60)
    )
    content.listing = listing
    return Mail(content, by: catalogue, for: .init(locale: locale), unsubscribe: unsubscribe)
  }

  private let order = ["order": "A-1 <b>", "price": "12.5", "name": "Ann & Bob"]

  @Test func `without a layout, a mail has title and body, the text as it is and the same in HTML`() throws {
    let mail = try mail(901, ["title": "Hello & <hi>", "body": "one\n\ntwo"])
    #expect(mail.subject == "Hello & <hi>")
    #expect(mail.text == "one\n\ntwo\n")
    #expect(mail.html.contains(">Hello &amp; &lt;hi&gt;</h1>\n<p dir=\"auto\">one</p>\n<p dir=\"auto\">two</p>"))
    #expect(mail.html.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\" dir=\"ltr\">"))
    #expect(!mail.html.contains("{{") && !mail.html.contains("<img") && !mail.html.contains("http"))
  }

  @Test func `a notification of an unknown type, or without a catalogue, has the standard layout`() throws {
    let type = try #require(try Catalogue().type(.code(12)))
    let content = NotificationContent(
      type: type,
      text: NotificationTemplate.Text(title: "Hi", body: "there"),
      data: [:],
      relatedEntityType: nil,
      relatedEntityId: nil,
      collapseKey: nil,
      createdAt: Date(timeIntervalSince1970: 0),
      expiresAt: Date(timeIntervalSince1970: 60)
    )
    let mail = Mail(content, by: nil, for: .init(locale: "ar"))
    #expect(mail.subject == "Hi" && mail.text == "there\n")
    #expect(mail.html.contains("<html lang=\"ar\" dir=\"rtl\">"))
  }

  @Test(arguments: [
    ("en-GB", "A-1 <b> has left us", "Dear Ann & Bob,\norder A-1 <b> is on its way.\n\nTrack it: ", "Dear", "en"),
    ("de-AT", "A-1 <b> ist verschickt", "Hallo Ann & Bob,\nA-1 <b> ist unterwegs.\n\nVerfolgen: ", "Hallo", "de"),
  ])
  func
    `a type's own subject, text and HTML are in the reader's language, with a button for each action that leads somewhere`(
      locale: String,
      subject: String,
      text: String,
      word: String,
      language: String
    ) throws
  {
    let mail = try mail(900, order, locale: locale)
    #expect(mail.subject == subject)
    #expect(mail.text == text + "https://shop.example/o/A-1%20%3Cb%3E\n")
    #expect(mail.html.contains("<h1>A-1 &lt;b&gt;</h1><p>\(word) Ann &amp; Bob</p>"))
    #expect(mail.html.contains("<html lang=\"\(language)\""))
    #expect(mail.html.contains("class=\"mail-button\" href=\"https://shop.example/o/A-1%20%3Cb%3E\""))
    #expect(mail.html.components(separatedBy: "class=\"mail-button\"").count == 2)
  }

  @Test(
    arguments: [
      (902, "ar", #"lang="en" dir="ltr""#), (902, "de-AT", #"lang="en" dir="ltr""#),
      (902, nil, #"lang="en" dir="ltr""#),
      (903, "ar-EG", #"lang="ar" dir="rtl""#), (903, "de", #"lang="en" dir="ltr""#),
      (904, "he", #"lang="he" dir="rtl""#), (904, "ar", #"lang="en" dir="ltr""#),
    ] as [(Int, String?, String)]
  )
  func `a mail is in the language of the words that it says, and not in its reader's`(
    code: Int,
    locale: String?,
    attributes: String
  ) throws {
    let html = try mail(code, ["code": "7", "x": "y"], locale: locale).html
    #expect(html.contains("<html \(attributes)>"))
    #expect(!html.contains("<p dir=\"auto\""), "the language says in which direction it is read")
    #expect(html.contains("<h1 dir=\"auto\"") == (code == 904), "its title is a value")
  }

  @Test func `a part of a type that has no words of its own is read from its own first letter's side`() throws {
    let said = try mail(905, ["name": "Ann", "text": "مرحبا.\nكيف الحال؟"], locale: "ar").html
    #expect(said.contains(#"<html lang="en" dir="ltr">"#) && said.contains("<h1 style"))
    #expect(said.contains("<p dir=\"auto\">مرحبا.</p>\n<p dir=\"auto\">كيف"))
    let mailed = try mail(906, ["x": "مرحبا."], locale: "ar").html
    #expect(mailed.contains("<h1 dir=\"auto\" ") && mailed.contains("<p dir=\"auto\">مرحبا.</p>"))
  }

  @Test func `words of a sender's own are taken for the reader's language, and each paragraph says how it is read`()
    throws
  {
    let data = ["title": "Hello", "body": "مرحبا"]
    for html in [
      try mail(902, ["code": "7"], locale: "ar", title: "Hello").html, try mail(901, data, locale: "ar").html,
    ] {
      #expect(html.contains(#"<html lang="ar" dir="rtl">"#))
      #expect(html.contains("<h1 dir=\"auto\" ") && html.contains("<p dir=\"auto\">") && !html.contains("<p>"))
    }
  }

  private static let lists = """
    - code: 907
      name: Wrote
      category: Orders
      title: Hello
      body: Look.
      digest: { channel: email, every: 1d, title: { en: "{{x}} wrote", ar: "كتب {{x}}" }, body: { en: Look, ar: انظر } }
    - code: 908
      name: More
      category: Orders
      title: { en: News, ar: أخبار }
      body: { en: News, ar: أخبار }
      digest: { channel: email, every: 1d, title: "{{count}} more", body: Look. }
    - code: 909
      name: Quoted
      category: Orders
      title: Hello
      body: Look.
      digest: { channel: email, every: 1d, title: "{{x}}", body: "{{x}}" }
    composition: { title: { en: "{{count}} news", de: "{{count}} Neuigkeiten" }, body: { en: Look, de: Schau } }

    """

  /// A digest's texts have locales of their own. What was paused is mailed as one without its digest, and then without data.
  @Test(
    arguments: [
      (907, true, ["x": "y"], "ar-EG", #"lang="ar" dir="rtl""#), (907, true, ["x": "y"], "de", #"lang="en" dir="ltr""#),
      (908, true, ["x": "y"], "ar", #"lang="en" dir="ltr""#), (908, true, [:], "ar", #"lang="en" dir="ltr""#),
      (908, true, [:], "de", #"lang="en" dir="ltr""#), (908, false, [:], "de", #"lang="de" dir="ltr""#),
      (909, true, ["x": "y"], "de", #"lang="de" dir="ltr""#), (909, true, ["x": "y"], "ar", #"lang="ar" dir="rtl""#),
      (903, false, [:], "ar", #"lang="en" dir="ltr""#), (902, false, [:], "de", #"lang="de" dir="ltr""#),
      (0, false, [:], "de", #"lang="de" dir="ltr""#), (0, false, [:], "ar", #"lang="en" dir="ltr""#),
    ] as [(Int, Bool, [String: String], String, String)]
  )
  func `a mail that lists several is in the language of the words over its list`(
    code: Int,
    isDigest: Bool,
    data: [String: String],
    locale: String,
    attributes: String
  ) throws {
    let catalogue = try Catalogue(overrides: Self.types + Self.lists)
    let type = try #require(catalogue.type(.code(code == 0 ? 902 : code)))
    let texts = isDigest ? try #require(type.digest).texts : catalogue.composition
    let said = data.merging(["count": "2"]) { $1 }
    var content = NotificationContent(
      type: type,
      text: texts.render(title: nil, body: nil, data: said, locale: locale),
      data: data,
      relatedEntityType: nil,
      relatedEntityId: nil,
      collapseKey: nil,
      createdAt: Date(timeIntervalSince1970: 0),
      expiresAt: Date(timeIntervalSince1970: 60)
    )
    content.type = code
    content.listing = NotificationContent.Listing([(title: "a", body: ""), (title: "b", body: "")])
    let html = Mail(content, by: catalogue, for: .init(locale: locale)).html
    #expect(html.contains("<html \(attributes)>") && html.contains("<h1 dir=\"auto\" "))
    #expect(html.contains("<li dir=\"auto\" "))
  }

  @Test(arguments: ["<li style='display:none'>a", "<p style='display:none'>a", "<dl><dd>a</dl><b><p>a</b>"])
  func `what a type's HTML leaves open ends before the buttons and the layout's footer`(_ html: String) throws {
    let types = """
      - code: 910
        name: Open
        category: Orders
        title: Hello
        body: Look.
        mail: { text: Look., html: "\(html)" }
        actions:
        - { id: GO, title: Go, link: "https://shop.example/" }

      """
    let layout = #"mailLayout: { footer: Bye, html: "<div>{{content}}<p>{{footer}}</p></div>" }"#
    let mail = try mail(910, [:], layout: types + layout)
    #expect(mail.hasOwnLayout && mail.html.hasPrefix("<div><div>\(html)</div>\n<div "))
    #expect(mail.html.hasSuffix("</div><p>Bye</p></div>"))
  }

  @Test func `a sender's own words win over the type's mail, and so do title and body where data is missing`() throws {
    let own = try mail(900, order, title: "My own")
    #expect(own.subject == "My own" && own.text.hasPrefix("It costs €12.50."))
    #expect(own.html.contains(">My own</h1>"))
    let lacking = try mail(900, ["order": "7", "price": "1"])
    #expect(lacking.subject == "Order 7 is on its way")
  }

  @Test func `a digest reads as a list in both parts, says how many more there are, and has no button of one`() throws {
    let notifications = (1...25).map {
      (title: "News <\($0)>", body: $0 == 1 ? String(repeating: "long ", count: 90) : "b\nc")
    }
    let listing = NotificationContent.Listing(notifications)
    let mail = try mail(901, ["title": "25 news", "body": "Look"], listing: listing)
    let lines = mail.text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.prefix(2) == ["Look", ""] && lines.count == 24 && lines.suffix(2) == ["+5", ""])
    #expect(lines[2].hasPrefix("- News <1>: long long") && lines[3] == "- News <2>: b c")
    #expect(mail.html.components(separatedBy: "<li ").count == 22)
    #expect(mail.html.contains("<strong>News &lt;2&gt;</strong><br>b c</li>"))
    #expect(mail.html.contains(">+5</li>"))
    #expect(listing.items[0].body.count == 200 && listing.items[0].body.hasSuffix("…"))
    let orders = try self.mail(900, order, listing: NotificationContent.Listing([(title: "Order 1", body: "")]))
    #expect(orders.text.hasSuffix("\n\n- Order 1\n"))
    #expect(!orders.html.contains("class=\"mail-button\"") && !orders.text.contains("Track it"))
  }

  @Test func `a list of long titles is cut where a message would be too large`() {
    let listing = NotificationContent.Listing(
      (1...20).map { _ in (title: String(repeating: "👋", count: 800), body: "") }
    )
    #expect(listing.items.count == 7 && listing.more == 13)
  }

  @Test func `a layout has name, logo, colours, footer, address and a link to unsubscribe, in both parts`() throws {
    let link = "https://belfry.example/unsubscribe/a"
    let mail = try mail(
      901,
      ["title": "Hi", "body": "there"],
      layout: Self.layout,
      locale: "de",
      unsubscribe: link
    )
    #expect(
      mail.text == "there\n\nKeine mehr: \(link)\n\n-- \nSie haben bei uns bestellt.\nThe Shop\nMain Street 1\n"
    )
    for part in [
      #"<img src="https://shop.example/logo.png" width="120" alt="The Shop &amp; Co""#,
      #"<a href="https://shop.example/" "#, "background:#f8fafc", "#5eead4", "Sie haben bei uns bestellt.",
      "The Shop<br>Main Street 1", #"<a href="\#(link)""#, ">Keine mehr</a>",
    ] { #expect(mail.html.contains(part), "\(part)") }
  }

  @Test func `an operator's HTML takes the layout's place`() throws {
    let html = #"<html lang="{{language}}"><body style="color:{{text}}"><h6>{{name}}</h6>{{content}}</body></html>"#
    let mail = try mail(
      901,
      ["title": "Hi", "body": "<there>"],
      layout: "mailLayout: { name: '<Us>', html: '\(html)' }"
    )
    #expect(
      mail.html.hasPrefix(#"<html lang="en"><body style="color:#1f2933"><h6>&lt;Us&gt;</h6><h1 "#)
        && mail.html.hasSuffix("<p dir=\"auto\">&lt;there&gt;</p></body></html>")
    )
  }

  @Test(arguments: [
    (#"{ html: "<p>{{name}}</p>" }"#, "mailLayout.html: lacks {{content}}"),
    (#"{ html: "<p>{{content}}{{nam}}</p>" }"#, "mailLayout.html: there is no {{nam}}; did you mean name?"),
    (#"{ html: "<p title=\"{{content}}\">" }"#, "{{content}} stands for HTML: only between tags"),
    (#"{ html: "<p style=\"color:{{subject}}\">{{content}}" }"#, "{{subject}} stands in a style"),
    (#"{ html: "<title>{{content}}</title>" }"#, "{{content}} stands for HTML: only between tags"),
    (#"{ html: "{{content}}<s{{accent}}tyle>" }"#, "{{accent}} stands in a tag"),
    (
      #"{ html: "{{content}}<style></style{{accent}}><p title=\"</style><script>alert(1)</script>\">" }"#,
      "has <script>"
    ),
    (
      #"{ html: "{{content}}<!-- -{{accent}}-><p title=\"--><script>alert(1)</script>\">" }"#, "has <script>"
    ),
    (#"{ html: "<a href=\"{{accent}}\">{{content}}</a><script></script>" }"#, "has <script>"),
    (
      #"{ html: "{{content}}<a href=\"{{unsubscribe}}\">a</a>{{#unsubscribe}}b{{/unsubscribe}}" }"#,
      "{{unsubscribe}} stands outside {{#unsubscribe}}…{{/unsubscribe}}: mails that have none would lose the layout"
    ),
    (
      #"{ html: "{{content}}<a href=\"{{link}}\">a</a>" }"#,
      "{{link}} stands outside {{#link}}…{{/link}}: without mailLayout.link all mails would lose the layout"
    ),
    (#"{ html: "{{content}}{{^logo}}<img src=\"{{logo}}\">{{/logo}}" }"#, "{{logo}} stands outside {{#logo}}"),
    (#"{ html: "{{content}}{{#name}}<a href=\"{{.}}\">a</a>{{/name}}" }"#, "{{name}} is no link: only link, logo"),
    ("{ logo: http://a.example/b.png, name: A }", "mailLayout.logo: 'http://a.example/b.png' is no link"),
    ("{ logo: https://a.example/b.png }", "mailLayout.name: is required beside a logo"),
    ("{ logoWidth: 100 }", "mailLayout.logoWidth: has no effect without a logo"),
    ("{ colors: { accent: red } }", "mailLayout.colors.accent: 'red' is not a colour such as #1d4ed8"),
    ("{ colours: {} }", "mailLayout.colours: is not a known field; did you mean colors?"),
  ])
  func `what a layout cannot have is refused by name`(_ layout: String, _ message: String) {
    let error = #expect(throws: CatalogueError.self) { try Catalogue(overrides: "version: 1\nmailLayout: \(layout)") }
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "taken")")
  }

  @Test func `an operator's HTML keeps its layout whether a mail has a link to unsubscribe or none`() throws {
    let link = #"<a href=\"{{link}}\">home</a>"#
    let stop = #"{{#unsubscribe}}<a href=\"{{.}}\">x</a><a href=\"{{unsubscribe}}\">y</a>{{/unsubscribe}}"#
    let layout = "mailLayout: { link: https://shop.example/, html: \"<h6>ours</h6>{{content}}\(link)\(stop)\" }"
    let data = ["title": "Hi", "body": "there"]
    let without = try mail(901, data, layout: layout)
    #expect(without.hasOwnLayout && without.html.hasSuffix(#">there</p><a href="https://shop.example/">home</a>"#))
    let with = try mail(901, data, layout: layout, unsubscribe: "https://belfry.example/u")
    #expect(with.hasOwnLayout && with.html.components(separatedBy: #"href="https://belfry.example/u""#).count == 3)
  }

  @Test func `a layout that cannot be filled in gives its place to the standard one, with name, footer and link`()
    throws
  {
    let many = String(repeating: "{{content}}", count: 5_000)
    for html in ["<h6>\(many)</h6>", #"{{content}}<a href=\"https://shop.example/{{subject}}\">a</a>"#] {
      let mail = try mail(
        901,
        ["title": "..", "body": String(repeating: "long ", count: 40)],
        layout: "mailLayout: { name: Shop, footer: Bye, html: \"\(html)\" }",
        unsubscribe: "https://belfry.example/u"
      )
      #expect(!mail.hasOwnLayout && mail.html.hasPrefix("<!DOCTYPE html>") && !mail.html.contains("h6"))
      for part in ["Shop", "Bye", #"href="https://belfry.example/u""#] { #expect(mail.html.contains(part)) }
    }
  }

  @Test func `all values of the built-in layout are filled in, by day and by night`() throws {
    let layout = MailLayout.standard
    #expect(layout.template.variables.isSubset(of: MailLayout.variables))
    #expect(MailColors.light.unreadable.isEmpty && MailColors.dark.unreadable.isEmpty)
    let html = try mail(901, ["title": "Hi", "body": "there"]).html
    for name in layout.constants.values where name.hasPrefix("#") && name != "\(MailColors.light.accent.readable)" {
      #expect(html.contains(name), "\(name)")
    }
  }

  /// Whoever cannot read the link that stops such mails reports them as spam.
  @Test(arguments: ["#0f766e", "#1d4ed8", "#777777", "#808080", "#ffffff", "#000000", "#fde047", "#be123c"])
  func `name, footer and the link to unsubscribe can be read on every background`(_ color: String) throws {
    for theme in ["colors", "darkColors"] {
      let layout = "mailLayout: { name: Shop, footer: Bye, \(theme): { background: '\(color)' } }"
      let colors = try Catalogue(overrides: Self.types + layout).mailLayout
      let seen = theme == "colors" ? colors.colors : colors.darkColors
      for (name, on) in [(seen.onBackground, seen.background), (seen.muted, seen.background)] {
        #expect(name.contrast(with: on) >= 4.5, "\(name) on \(on)")
      }
      #expect(seen.background.readable.contrast(with: seen.background) >= 4.5)
      let link = "https://belfry.example/u"
      let html = try mail(901, ["title": "Hi", "body": "there"], layout: layout, unsubscribe: link).html
      if theme == "colors" {
        #expect(html.contains(#"<a href="\#(link)" style="color:\#(seen.muted);"#))
        #expect(html.contains("font-weight:600;color:\(seen.onBackground)\">"))
      } else {
        #expect(html.contains(".mail-head, .mail-head a { color: \(seen.onBackground) !important; }"))
        #expect(html.contains(".mail-foot, .mail-foot a { color: \(seen.muted) !important; }"))
      }
    }
    #expect(MailColors.light.onBackground == MailColors.light.text)
    #expect(MailColors.dark.onBackground == MailColors.dark.text)
  }

  @Test func `mailboxes are shown the beginning of the text, on one line`() throws {
    let body = String(repeating: "word\n", count: 60)
    let html = try mail(901, ["title": "Hi", "body": body]).html
    let preview = try #require(html.firstMatch(of: /opacity:0">([^<]*)</)?.1)
    #expect(preview.count == 140 && preview.hasPrefix("word word") && preview.hasSuffix("…"))
  }

  @Test(arguments: [("#000000", "#ffffff", 21.0), ("#767676", "#ffffff", 4.54), ("#ffffff", "#ffffff", 1.0)])
  func `contrasts are those of WCAG`(one: String, two: String, expected: Double) throws {
    let (one, two) = (try #require(MailColors.Color(one)), try #require(MailColors.Color(two)))
    #expect(abs(one.contrast(with: two) - expected) < 0.01 && one.contrast(with: two) == two.contrast(with: one))
  }
}
