import Dispatching
import Foundation
import NotificationModel
import NotificationQueue
import TestSupport
import Testing
import Transport

@testable import EmailDispatcher

@Suite struct UnsubscribeHeadersTests {
  private let keys = UnsubscribeKeys(["a secret of links, of more than thirty-two bytes"])
  private let created = Date(timeIntervalSince1970: 1_800_000_000)
  private let user = UserID(UUID())

  private func headers(_ address: String = "https://notify.example.com/x", keys: UnsubscribeKeys? = nil) throws
    -> UnsubscribeHeaders
  {
    var reached = PublicURL.none
    if !address.isEmpty { reached = try #require(PublicURL(address)) }
    return UnsubscribeHeaders(keys: keys ?? self.keys, address: reached, domain: "example.com")
  }

  private func targeted(_ category: String?, mayUnsubscribe: Bool = true) throws -> TargetedDelivery {
    let type = try #require(try Catalogue().type(.code(12)))
    var content = NotificationContent(
      type: type,
      text: type.template.render(title: "Hello", body: "World", data: [:]),
      data: [:],
      relatedEntityType: nil,
      relatedEntityId: nil,
      collapseKey: nil,
      createdAt: created,
      expiresAt: created + 86_400
    )
    (content.category, content.mail.mayUnsubscribe) = (category, mayUnsubscribe)
    let delivery = DispatchMessage.Delivery(
      notificationId: NotificationID(request: RequestID(now: created), recipient: user),
      userId: user,
      content: 0,
      badge: 0,
      targets: []
    )
    let target = DispatchMessage.Target(id: "mia@example.com", address: "mia@example.com")
    return TargetedDelivery(delivery: delivery, target: target, content: content)
  }

  private func link(of headers: [(String, String)]) throws -> String {
    let start = "<https://notify.example.com/x/unsubscribe/"
    let value = try #require(headers.first?.1)
    try #require(value.hasPrefix(start) && value.hasSuffix(">"))
    return String(value.dropFirst(start.count).dropLast())
  }

  @Test
  func `a mail's link names its person, its category and the notification's time, the same at each attempt of a day`()
    throws
  {
    let (midnight, day) = (Date(timeIntervalSince1970: 20_833 * 86_400), 86_400.0)
    let all = try headers().headers(of: try targeted("Größe & Co."), at: midnight)
    #expect(all.map(\.0) == ["List-Unsubscribe", "List-Unsubscribe-Post", "List-Id"])
    #expect(all[1].1 == "List-Unsubscribe=One-Click")
    let link = UnsubscribeLink(
      user: user,
      category: "Größe & Co.",
      issuedAt: created,
      expiry: midnight + 61 * day
    )
    #expect(keys.read(try self.link(of: all), at: midnight) == .valid(link))
    let later = try headers().headers(of: try targeted("Größe & Co."), at: midnight + day - 1)
    #expect(later.map(\.1) == all.map(\.1))
    let tomorrow = try headers().headers(of: try targeted("Größe & Co."), at: midnight + day)
    #expect(tomorrow[0].1 != all[0].1)
  }

  @Test(arguments: [0, 0.5, 90, 4_000])
  func `a link holds for 60 days after its mail, however long the notification waited`(_ days: Double) throws {
    let day = 86_400.0
    let composed = created + days * day
    let token = try link(of: try headers().headers(of: try targeted("News"), at: composed))
    let reading = keys.read(token, at: composed + 60 * day)
    guard case .valid(let link) = reading else {
      Issue.record("\(days) days: \(String(describing: reading))")
      return
    }
    #expect(link.issuedAt == created, "whoever was erased in between is still told apart")
    #expect(keys.read(token, at: composed + 61 * day + 1) == .expired(link))
  }

  @Test func `without a secret, an address, a category or leave there is none`() throws {
    #expect(try headers(keys: UnsubscribeKeys.none).headers(of: try targeted("News"), at: created).isEmpty)
    #expect(try headers("").headers(of: try targeted("News"), at: created).isEmpty)
    #expect(try headers().headers(of: try targeted(nil), at: created).isEmpty)
    #expect(try headers().headers(of: try targeted("News", mayUnsubscribe: false), at: created).isEmpty)
  }

  @Test func `a catalogue that wants links is warned of where a setting is missing`() throws {
    let head = """
      version: 1
      defaults: { channels: { email: true }, priority: normal, timeToLiveDays: 1, title: T, body: B }
      categories:
      - { name: News, mail: { unsubscribe: true } }
      - { name: Codes }
      types:

      """
    let types = ["News", "Codes"].enumerated().map { "- { code: \(900 + $0), name: T\($0), category: \($1) }\n" }
    let (wants, calm) = (
      try Catalogue(overrides: head + types.joined()), try Catalogue(overrides: head + types[1])
    )
    let both = ["BELFRY_UNSUBSCRIBE_KEYS", "BELFRY_PUBLIC_URL"]
    #expect(
      UnsubscribeHeaders.warning(of: wants, lacking: both)
        == "mails have no link to unsubscribe, though the catalogue wants one for News: "
        + "set BELFRY_UNSUBSCRIBE_KEYS and BELFRY_PUBLIC_URL"
    )
    #expect(UnsubscribeHeaders.warning(of: wants, lacking: []) == nil)
    #expect(UnsubscribeHeaders.warning(of: calm, lacking: both) == nil)
  }

  @Test(arguments: [
    ("News", #""News" <news.example.com>"#), ("New Things 2", #""New Things 2" <new-things-2.example.com>"#),
  ])
  func `a list is called as its category`(_ category: String, _ expected: String) {
    #expect(UnsubscribeHeaders.listID(category, domain: "example.com") == expected)
  }

  @Test func `a name with more than letters and digits has its hash in the label, and escapes in the phrase`() throws {
    let names = [
      "A & B", "A-B", "A  B", #"Say "hi" \o/"#, "Größe", "漢字", "-", String(repeating: "long name ", count: 6) + "x",
    ]
    var labels: Set<String> = []
    for name in names {
      let value = UnsubscribeHeaders.listID(name, domain: "example.com")
      let label = try #require(value.firstMatch(of: #/<([a-z0-9]+(?:-+[a-z0-9]+)*)\.example\.com>$/#), "\(value)")
      labels.insert(String(label.1))
      #expect(label.1.count <= 50 && value.utf8.allSatisfy { $0 < 0x80 })
    }
    #expect(labels.count == names.count)
    let quoted = UnsubscribeHeaders.listID(#"Say "hi" \o/"#, domain: "example.com")
    #expect(quoted.hasPrefix(#""Say \"hi\" \\o/" <say-hi-o-"#))
    #expect(UnsubscribeHeaders.listID("Größe", domain: "example.com").hasPrefix("<"), "no encoded words")
  }

  @Test func `the longest address and name can be written`() throws {
    let address = "https://\(String(repeating: "x", count: PublicURL.maximumLength - 12)).com"
    let composer = EmailComposer(sender: MIMEAddress(address: "news@example.com"), domain: "example.com")
    for category in [String(repeating: "漢", count: 64), String(repeating: "w ", count: 31) + "wW", #"\"=?x?="#] {
      let targeted = try targeted(category)
      let mail = try composer.compose(targeted, headers: try headers(address).headers(of: targeted, at: created))
      let lines = String(decoding: mail, as: UTF8.self).components(separatedBy: "\r\n")
      #expect(lines.contains { $0.hasPrefix("List-Id: ") })
      #expect(lines.contains { $0.hasPrefix("List-Unsubscribe: <\(address)/unsubscribe/") && $0.hasSuffix(">") })
      #expect(lines.allSatisfy { $0.utf8.count <= 998 })
    }
  }
}
