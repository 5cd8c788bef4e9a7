import Foundation
import NotificationModel
import TestSupport
import Testing

/// How mails look in a browser engine that several mail programs have; pictures are in .belfry/mails afterwards.
@Suite(.timeLimit(.minutes(3))) struct MailLooksTests {
  private static let types = """
    version: 1
    defaults: { channels: { email: true }, priority: normal, timeToLiveDays: 1, title: T, body: B }
    types:
    - code: 900
      name: OrderShipped
      category: Orders
      title: "Your order {{order}} is on its way"
      body: "It arrives on {{day|date}}."
      mail:
        text: "Order {{order}} arrives on {{day|date}}."
        html: >-
          <h1 style="font-size:22px">Your order is on its way</h1><p>It arrives on <strong>{{day|date}}</strong>, as
          <a href="https://shop.example/o/{{order}}">order {{order}}</a>.</p>
      actions:
      - { id: TRACK, title: Track the parcel, link: "https://shop.example/o/{{order}}" }
      - { id: HELP, title: Something is wrong, link: "https://shop.example/help?order={{order}}" }
    - { code: 901, name: Plain, category: Orders, title: "{{title}}", body: "{{body}}" }
    - code: 902
      name: Shipped
      category: Orders
      title: { en: "Order {{order}}", ar: "الطلب {{order}} في الطريق" }
      body: { en: "It is on its way.", ar: "سيصل طلبك غدًا." }
      actions:
      - { id: TRACK, title: { en: Track it, ar: تتبع الطلب }, link: "https://shop.example/o/{{order}}" }

    """
  private static let layout = """
    mailLayout:
      name: The Shop
      logo: https://shop.example/logo.png
      link: https://shop.example/
      colors: { accent: "#0f766e" }
      darkColors: { accent: "#5eead4" }
      footer: You get this mail because you ordered from us.
      address: The Shop Ltd, Main Street 1, 1010 Vienna
    """

  /// A brand's colour around the mail, by day and by night.
  private static let brand = "accent: \"#0f766e\", background: \"#1d4ed8\""

  private func mail(
    _ code: Int,
    _ data: [String: String],
    layout: String = "",
    locale: String = "en",
    listing: NotificationContent.Listing? = nil
  ) throws -> Mail {
    let catalogue = try Catalogue(overrides: Self.types + layout)
    let type = try #require(catalogue.type(.code(code)))
    var content = NotificationContent(
      type: type,
      text: type.template.render(title: nil, body: nil, data: data, locale: locale),
      data: data,
      relatedEntityType: nil,
      relatedEntityId: nil,
      collapseKey: nil,
      createdAt: Date(timeIntervalSince1970: 1_800_000_000),
      expiresAt: Date(timeIntervalSince1970: 1_800_086_400)
    )
    content.listing = listing
    let link = layout.isEmpty ? nil : "https://belfry.example/unsubscribe/abc"
    return Mail(content, by: catalogue, for: .init(locale: locale), unsubscribe: link)
  }

  private func mails() throws -> [String: Mail] {
    let order = ["order": "A-1042", "day": "2026-12-01"]
    let news = (1...12).map { (title: "Answer \($0) to your question", body: "Somebody wrote: have you tried it?") }
    let wide = String(repeating: "Donaudampfschifffahrt", count: 8)
    let own =
      "mailLayout: { html: '<html lang=\"{{language}}\"><head><title>{{subject}}</title></head><body style=\"color:{{text}}\">{{content}}</body></html>' }"
    return [
      "plain": try mail(
        901,
        ["title": "Allowance Received!", "body": "Your allowance has come.\nNew balance: $47.00"]
      ),
      "order": try mail(900, order, layout: Self.layout),
      "buttons": try mail(900, order),
      "coloured": try mail(900, order, layout: Self.layout.replacing("accent: \"#0f766e\"", with: Self.brand)),
      "arabic": try mail(902, order, layout: Self.layout, locale: "ar"),
      "digest": try mail(
        901,
        ["title": "12 answers", "body": "Since yesterday"],
        layout: Self.layout,
        listing: NotificationContent.Listing(news)
      ),
      "wide": try mail(901, ["title": wide, "body": "https://shop.example/\(wide)\n\(wide)"], layout: Self.layout),
      "own": try mail(900, order, layout: own),
    ]
  }

  @Test func `mails can be read by day, by night and on a phone, without pictures`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "belfry-mails-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, mail) in try mails() {
      try Data(mail.html.utf8).write(to: folder.appending(path: "\(name).html"))
    }
    let pictures = Repository.root.appending(path: ".belfry/mails").path
    let lines = try Python.lines(of: "Tests/EmailDispatcherTests/mail_looks.py", [folder.path, pictures])
    let objections = try lines.map { try JSONDecoder().decode(String.self, from: $0) }
    #expect(objections.isEmpty, "\(objections.joined(separator: "\n"))")
    #expect(FileManager.default.fileExists(atPath: "\(pictures)/order-night.png"))
  }
}
