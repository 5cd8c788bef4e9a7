import Foundation
import Logging
import NotificationModel
import Transport

extension MailCheck {
  /// What a link of a mail leads to.
  struct Page: Sendable {
    var status: Int
    var body: [UInt8]
  }

  /// Whether mails bring a link that stops them by one click (RFC 8058), which Gmail and Yahoo ask of bulk mail, and whether it leads to a
  /// gateway that knows it.
  func unsubscribe(_ configuration: EmailConfiguration, _ logger: Logger) async -> MailFinding {
    let (keys, address) = (configuration.unsubscribe, configuration.publicURL)
    var missing = keys.isEmpty ? ["BELFRY_UNSUBSCRIBE_KEYS"] : []
    if address.isEmpty { missing.append("BELFRY_PUBLIC_URL (https)") }
    let link = UnsubscribeLink(
      user: UserID(UUID()),
      category: Self.category,
      notificationCreatedAt: .now,
      composedAt: .now
    )
    guard missing.isEmpty, let token = keys.text(of: link) else {
      return .note(
        .unsubscribe,
        "no mail has a link that stops it by one click: \(missing.joined(separator: " and ")) is missing",
        "set both before you send bulk mail: Gmail, Yahoo and Outlook refuse it otherwise"
      )
    }
    do throws(TransportError) {
      return Self.judged(try await fetch(address.page(UnsubscribeHeaders.page, token), logger), address)
    } catch {
      return Self.finding(error, address)
    }
  }

  /// Nobody's: a look at the page of such a link changes nothing.
  static let category = "belfry check mail"

  private static func judged(_ page: Page, _ address: PublicURL) -> MailFinding {
    let proxy = proxy(of: address)
    switch page.status {
    case 200 where String(decoding: page.body, as: UTF8.self).contains(category):
      return .good(.unsubscribe, "\(address) shows the page of a link that stops mails by one click")
    case 200: return foreign(address)
    case 404:
      return .bad(
        .unsubscribe,
        "\(address) does not know the link of a mail: 404",
        "give the gateways the BELFRY_UNSUBSCRIBE_KEYS of the email dispatchers, and \(proxy)"
      )
    case 300..<400:
      return .bad(.unsubscribe, "\(address) redirects the link of a mail: \(page.status)", proxy)
    case 429:
      return .note(
        .unsubscribe,
        "\(address) takes no more requests for now: 429",
        "try again in a minute, or from another network; gateways allow BELFRY_GATEWAY_UNSUBSCRIBE_RATE"
      )
    case 500...:
      return .bad(.unsubscribe, "\(address) answers the link of a mail with \(page.status)", "look at the gateways")
    default:
      return .bad(.unsubscribe, "\(address) answers the link of a mail with \(page.status)", proxy)
    }
  }

  private static func proxy(of address: PublicURL) -> String {
    "let the proxy of \(address) lead /unsubscribe/ to the gateways, without a login or a redirect"
  }

  private static func foreign(_ address: PublicURL) -> MailFinding {
    .bad(
      .unsubscribe,
      "\(address)/\(UnsubscribeHeaders.page)/… shows a page that is not Belfry's",
      proxy(of: address)
    )
  }

  private static func finding(_ error: TransportError, _ address: PublicURL) -> MailFinding {
    // A page of a shop or the like: Belfry's own has a few kilobytes.
    if error.code == .tooLarge { return foreign(address) }
    if error.code == .tls {
      return .bad(.unsubscribe, "\(address): \(error)", "give the proxy a certificate that is valid for this name")
    }
    return .note(
      .unsubscribe,
      "the page of a link that stops mails by one click cannot be seen from here: \(address): \(error)",
      "look from outside: \(address)/\(UnsubscribeHeaders.page)/x must show Belfry's page \"This link is not valid\""
    )
  }

  /// Asks the internet's way to the gateway, as a mailbox would.
  @Sendable static func fetchPage(_ url: String, _ logger: Logger) async throws(TransportError) -> Page {
    var configuration = HTTPClientConfiguration()
    configuration.timeout = .seconds(15)
    configuration.maximumResponseBody = 65_536
    let client = HTTPClient(configuration: configuration, logger: logger)
    let result: Result<HTTPResponse, TransportError>
    do throws(TransportError) {
      let accept = [(name: "accept", value: "text/html")]
      result = .success(try await client.send(HTTPRequest(method: "GET", url: url, headers: accept)))
    } catch {
      result = .failure(error)
    }
    await client.close()
    let response = try result.get()
    return Page(status: response.status, body: response.body)
  }
}
