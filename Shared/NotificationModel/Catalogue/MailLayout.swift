import Embedded
import TerminalText

/// What is around the content of every mail. The standard one says nothing of its own; an operator's catalogue gives it a logo, colours, a
/// footer and an address, or puts other HTML in its place.
public struct MailLayout: Sendable {
  /// Over the mail where there is no logo, and in the logo's place where pictures are not shown.
  let name: String?
  /// `https` links.
  let logo: String?
  /// In pixels.
  let logoWidth: Int
  /// Where name and logo lead.
  let link: String?
  let colors: MailColors
  let darkColors: MailColors
  /// Why people get the mail, and the like.
  let footer: LocalizedText?
  /// Postal.
  let address: String?
  /// Of the link that stops such mails, where there is one.
  let unsubscribe: LocalizedText
  let template: HTMLTemplate
  /// All that is the same in each mail, as the template knows it.
  let constants: [String: String]

  /// Where the catalogue says nothing.
  public static let standard = MailLayout()

  private init() {
    let template: HTMLTemplate
    do throws(CatalogueError) {
      template = try HTMLTemplate(Self.source, trusted: Self.trusted)
    } catch {
      // A fault of the build: tests would not have passed.
      preconditionFailure("the built-in mail layout: \(error)")
    }
    self.init(
      name: nil,
      logo: nil,
      logoWidth: Self.standardWidth,
      link: nil,
      colors: .light,
      darkColors: .dark,
      footer: nil,
      address: nil,
      unsubscribe: Self.unsubscribe,
      template: template
    )
  }

  private init(
    name: String?,
    logo: String?,
    logoWidth: Int,
    link: String?,
    colors: MailColors,
    darkColors: MailColors,
    footer: LocalizedText?,
    address: String?,
    unsubscribe: LocalizedText,
    template: HTMLTemplate
  ) {
    (self.name, self.logo, self.logoWidth, self.link) = (name, logo, logoWidth, link)
    (self.colors, self.darkColors) = (colors, darkColors)
    (self.footer, self.address, self.unsubscribe) = (footer, address, unsubscribe)
    self.template = template
    var constants = colors.words(dark: false).merging(darkColors.words(dark: true)) { $1 }
    constants["logoWidth"] = String(logoWidth)
    constants["name"] = name
    constants["logo"] = logo
    constants["link"] = link
    constants["address"] = address.map(Self.markup)
    self.constants = constants
  }

  /// The built-in template, from which operators may begin their own.
  public static var source: String { EmbeddedFile.at("Shared/NotificationModel/mail-layout.html").text }

  /// Lines of text as HTML.
  static func markup(_ text: String) -> String {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { String($0).htmlEscaped }
      .joined(separator: "<br>")
  }

  private static let unsubscribe = LocalizedText(
    [
      "en": "Unsubscribe", "de": "Abbestellen", "fr": "Se désabonner", "es": "Cancelar la suscripción",
      "it": "Annulla iscrizione",
      "nl": "Uitschrijven", "pt": "Cancelar inscrição", "pl": "Wypisz się",
    ],
    original: "en"
  )
}

/// How a catalogue file says it.
extension MailLayout {
  static let fields: Set = [
    "name", "logo", "logoWidth", "link", "colors", "darkColors", "footer", "address", "unsubscribe", "html",
  ]
  /// In pixels: at 320 there are 280 for it.
  static let widths = 16...280
  private static let standardWidth = 160
  /// Characters of the HTML.
  static let maximumHTML = 60_000

  /// What `html` may fill in.
  static let variables = trusted.markup.union(trusted.words).union([
    "subject", "preview", "name", "logo", "link", "unsubscribe", "unsubscribeText",
  ])

  private static let trusted = HTMLTemplate.Trusted(
    markup: ["content", "footer", "address"],
    words: Set(MailColors.light.words(dark: false).keys).union(MailColors.dark.words(dark: true).keys).union([
      "logoWidth", "language", "direction",
    ])
  )

  init?(_ reader: FieldReader, original: String) {
    reader.refuseUnknown(known: Self.fields)
    let name = reader.isPresent("name") ? reader.requiredText("name", limit: 64) : nil
    let logo = Self.link("logo", reader)
    let width = reader.integer("logoWidth", in: Self.widths)
    if width != nil, logo == nil { reader.problem("logoWidth", "has no effect without a logo") }
    if logo != nil, name == nil { reader.problem("name", "is required beside a logo: many see mails without pictures") }
    let link = Self.link("link", reader)
    let colors = reader.object("colors") { MailColors($0, standard: .light) }
    let darkColors = reader.object("darkColors") { MailColors($0, standard: .dark) }
    let footer = reader.localized("footer", limit: 1_000, original: original)
    let address = reader.text("address", limit: 300, allowsLineBreaks: true)
    let unsubscribe = reader.localized("unsubscribe", limit: 64, original: original)
    let template = Self.template(reader)
    self.init(
      name: name,
      logo: logo,
      logoWidth: width ?? Self.standardWidth,
      link: link,
      colors: colors ?? .light,
      darkColors: darkColors ?? .dark,
      footer: footer,
      address: address,
      unsubscribe: unsubscribe ?? Self.unsubscribe,
      template: template ?? Self.standard.template
    )
  }

  private static func link(_ name: String, _ reader: FieldReader) -> String? {
    guard let text = reader.text(name, limit: 2_000) else { return nil }
    if !text.isHTTPSLink { reader.problem(name, "'\(text.excerpt)' is no link that begins with https://") }
    return text
  }

  private static func template(_ reader: FieldReader) -> HTMLTemplate? {
    guard let text = reader.text("html", limit: maximumHTML, allowsLineBreaks: true) else { return nil }
    if let stray = NotificationTemplate.Part.strayBraces(in: text) {
      reader.problem("html", "\(stray); between the braces of styles put a line break")
      return nil
    }
    do throws(CatalogueError) {
      let template = try HTMLTemplate(text, trusted: trusted)
      for name in template.variables.subtracting(variables).sorted() {
        reader.problem("html", "there is no {{\(name)}}\(NearestName.advice(name, among: variables.sorted()))")
      }
      refuseLinks(of: template, reader)
      for name in ["content"] where !template.variables.contains(name) { reader.problem("html", "lacks {{\(name)}}") }
      return template
    } catch {
      reader.problem("html", error.description)
      return nil
    }
  }

  /// Without its value, no mail would have the layout: so what is not in each mail is a link only where it is looked at first.
  private static func refuseLinks(of template: HTMLTemplate, _ reader: FieldReader) {
    for name in template.wholeLinks.intersection(variables).sorted() {
      if !links.contains(name) {
        reader.problem("html", "{{\(name)}} is no link: only \(links.sorted().joined(separator: ", ")) are")
      } else if template.bareLinks.contains(name), name == "unsubscribe" || !reader.isPresent(name) {
        let which = name == "unsubscribe" ? "mails that have none" : "without mailLayout.\(name) all mails"
        let words = "{{\(name)}} stands outside {{#\(name)}}…{{/\(name)}}: \(which) would lose the layout"
        reader.problem("html", words)
      }
    }
  }

  /// What may be a whole link.
  private static let links: Set = ["link", "logo", "unsubscribe"]

  /// What it says, for comparisons: each part in words.
  var aspects: [(name: String, value: String)] {
    [
      ("the name", name ?? "none"), ("the logo", logo.map { "\($0), \(logoWidth) pixels wide" } ?? "none"),
      ("the link", link ?? "none"), ("the colours", Self.words(colors)), ("the dark colours", Self.words(darkColors)),
      ("the address", address.map { $0.split(whereSeparator: \.isNewline).joined(separator: ", ") } ?? "none"),
    ]
  }

  private static func words(_ colors: MailColors) -> String {
    "\(colors.accent), \(colors.background), \(colors.surface), \(colors.text)"
  }
}
