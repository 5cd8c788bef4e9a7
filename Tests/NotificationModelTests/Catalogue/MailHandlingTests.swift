import Foundation
import BelfryJSON
import Testing

@testable import NotificationModel

/// What a category says of its mails, from the file to the message that dispatchers get.
@Suite struct MailHandlingTests {
  private static let file = """
    version: 1
    defaults: { channels: { inApp: true }, priority: normal, timeToLiveDays: 1, title: News, body: Something }
    categories:
    - { name: Offers, mail: { stream: bulk, unsubscribe: true } }
    - { name: Notes, mail: { unsubscribe: true } }
    - { name: Codes }
    types:
    - { code: 900, name: Sale, category: Offers }
    - { code: 901, name: Digest, category: Notes }
    - { code: 902, name: Code, category: Codes }

    """

  private func catalogue(_ more: String = "") throws -> Catalogue { try Catalogue(overrides: Self.file + more) }

  private func content(of name: String) throws -> NotificationContent {
    let type = try #require(try catalogue().type(.name(name)))
    return NotificationContent(
      type: type,
      text: NotificationTemplate.Text(title: "T", body: "B"),
      data: [:],
      relatedEntityType: nil,
      relatedEntityId: nil,
      collapseKey: nil,
      createdAt: Date(timeIntervalSince1970: 1_800_000_000),
      expiresAt: Date(timeIntervalSince1970: 1_800_086_400)
    )
  }

  @Test func `types have what their category says, and transactional mails where it says nothing`() throws {
    let catalogue = try catalogue()
    #expect(catalogue.type(.name("Sale"))?.mail == MailHandling(stream: .bulk, mayUnsubscribe: true))
    #expect(catalogue.type(.name("Digest"))?.mail == MailHandling(stream: .transactional, mayUnsubscribe: true))
    #expect(catalogue.type(.name("Code"))?.mail == .standard)
    #expect(try Catalogue().types.allSatisfy { $0.mail == .standard })
  }

  @Test func `a type of the built-in catalogue follows the file that says something of its category`() throws {
    let file = """
      version: 1
      categories: [{ name: Allowance, channels: { inApp: true }, mail: { stream: bulk, unsubscribe: true }, replaces: true }]

      """
    #expect(try Catalogue(overrides: file).type(.name("AllowanceDeposit"))?.mail.stream == .bulk)
  }

  @Test func `a check finds bulk mail that nobody can stop by one click, and no other`() {
    let head = "version: 1\ncategories:\n"
    let layout = "\nmailLayout: { address: Main Street 1 }"
    func found(_ mail: String) -> [String] {
      Catalogue.review("\(head)- { name: Offers, mail: \(mail) }\(layout)").problems.map { "\($0)" }
    }
    let words =
      "bulk mail that nobody can stop by one click is refused by Gmail, Yahoo and Outlook: add unsubscribe: true"
    for mail in ["{ stream: bulk }", "{ stream: bulk, unsubscribe: false }"] {
      #expect(found(mail).contains { $0.hasSuffix("categories[0] (Offers).mail: \(words)") }, "\(found(mail))")
    }
    for mail in ["{ stream: bulk, unsubscribe: true }", "{ unsubscribe: true }", "{}"] {
      #expect(found(mail).isEmpty, "\(found(mail))")
    }
  }

  @Test func `a check finds bulk mail without a postal address, and a layout that shows no address and no link`() {
    func found(_ categories: String, _ layout: String) -> [String] {
      Catalogue.review("version: 1\ncategories:\n\(categories)\n\(layout)").problems.map { problem in
        "\(problem)".replacing(#/^[0-9]+:[0-9]+ /#, with: "")
      }
    }
    let (bulk, notes) = (
      "- { name: Offers, mail: { stream: bulk, unsubscribe: true } }", "- { name: Notes, mail: { unsubscribe: true } }"
    )
    let address = "bulk mail needs a postal address by the laws of many countries: add mailLayout.address"
    #expect(found(bulk, "") == ["categories[0] (Offers).mail: \(address)"])
    #expect(found("\(notes)\n\(bulk)", "mailLayout: { name: Shop }") == ["mailLayout: \(address)"])
    #expect(found(notes, "mailLayout: { name: Shop }").isEmpty)
    let bare = "mailLayout: { address: Main Street 1, html: '<p>{{content}}</p>' }"
    let link = "mailLayout.html: readers see no link that stops such mails: the HTML lacks {{unsubscribe}}"
    #expect(found(notes, bare) == [link])
    #expect(
      found(bulk, bare)
        == [link, "mailLayout.html: readers of bulk mail see no postal address: the HTML lacks {{address}}"]
    )
    let whole =
      "mailLayout: { address: A, html: '<p>{{content}}{{address}}{{#unsubscribe}}<a href=\"{{unsubscribe}}\">a</a>{{/unsubscribe}}</p>' }"
    #expect(found(bulk, whole).isEmpty)
    #expect(found("- { name: Codes }", bare).isEmpty)
  }

  @Test func `operators read it of every category`() throws {
    var writer = JSONWriter()
    try catalogue().write(to: &writer)
    let categories = try #require(try JSONParser.parse(writer.bytes)["categories"]?.array)
    let mails = Dictionary(uniqueKeysWithValues: categories.map { ($0["name"]?.string ?? "", $0["mail"]) })
    #expect(mails["Offers"]??["stream"]?.string == "bulk" && mails["Offers"]??["unsubscribe"]?.boolean == true)
    #expect(mails["Codes"]??["stream"]?.string == "transactional" && mails["Codes"]??["unsubscribe"]?.boolean == false)
    #expect(mails["Tasks"]??["stream"]?.string == "transactional")
  }

  @Test(arguments: ["Sale", "Digest", "Code"])
  func `a content takes category and handling along, and brings them back`(_ name: String) throws {
    let content = try content(of: name)
    #expect(content.category == (name == "Sale" ? "Offers" : name == "Digest" ? "Notes" : "Codes"))
    var writer = JSONWriter()
    content.write(to: &writer)
    #expect(try NotificationContent(JSONFields(JSONParser.parse(writer.bytes))) == content)
  }

  @Test func `a content of an earlier version, or with a stream of a later one, is transactional`() throws {
    var writer = JSONWriter()
    try content(of: "Sale").write(to: &writer)
    let text = String(decoding: writer.bytes, as: UTF8.self)
    func read(_ text: String) throws -> NotificationContent {
      try NotificationContent(JSONFields(JSONParser.parse(Array(text.utf8))))
    }
    #expect(text.contains(#""stream":"bulk""#) && text.contains(#""mayUnsubscribe":true"#))
    #expect(try read(text.replacing(#""bulk""#, with: #""broadcast""#)).mail.stream == .transactional)
    let former = text.replacing(#""category":"Offers","stream":"bulk","mayUnsubscribe":true,"#, with: "")
    #expect(former.count < text.count)
    #expect(try read(former).category == nil)
    #expect(try read(former).mail == .standard)
  }
}
