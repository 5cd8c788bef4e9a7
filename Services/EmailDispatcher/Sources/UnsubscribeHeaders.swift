import CatalogueVersions
import Dispatching
import Foundation
import Logging
import NotificationModel
import NotificationQueue

/// The header fields by which a mailbox lets its owner unsubscribe with one click (RFC 8058, RFC 2369), and by which it sorts
/// (`List-Id`, RFC 2919). Pure; the same at each attempt of a day.
struct UnsubscribeHeaders: Sendable {
  let keys: UnsubscribeKeys
  let address: PublicURL
  /// Of this system: what `List-Id` ends with.
  let domain: String

  /// The part of a link before what signs it, which the gateway serves.
  static let page = "unsubscribe"
  /// Of a label in `List-Id`, without what tells it from others.
  private static let labelLength = 40

  /// None for a mail from which nobody may unsubscribe.
  ///
  /// - Parameter now: When the mail is composed.
  func headers(of targeted: TargetedDelivery, at now: Date) -> [(String, String)] {
    guard let category = targeted.content.unsubscribableCategory, let url = url(of: targeted, at: now) else {
      return []
    }
    return [
      ("List-Unsubscribe", "<\(url)>"),
      ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"),
      ("List-Id", Self.listID(category, domain: domain)),
    ]
  }

  /// The link of a mail; nil if it is to have none.
  func url(of targeted: TargetedDelivery, at now: Date) -> String? {
    guard !address.isEmpty, let category = targeted.content.unsubscribableCategory else { return nil }
    let link = UnsubscribeLink(
      user: targeted.delivery.userId,
      category: category,
      notificationCreatedAt: targeted.content.createdAt,
      composedAt: now
    )
    return keys.text(of: link).map { address.page(Self.page, $0) }
  }

  /// `"Balance & Transactions" <balance-transactions-6f2d11c0.example.com>`. A name that is not in ASCII is left out: it could stand there
  /// in encoded words alone, which the identifier behind it must not be part of.
  static func listID(_ category: String, domain: String) -> String {
    let identifier = "<\(label(category)).\(domain)>"
    guard category.utf8.allSatisfy({ 0x20..<0x7f ~= $0 }), !category.contains("=?") else { return identifier }
    let escaped = category.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "\"\(escaped)\" \(identifier)"
  }

  /// Letters, digits and inner hyphens; where a name loses something by that, its hash says which one it was.
  private static func label(_ category: String) -> String {
    let words = category.lowercased().utf8.split { !isLetterOrDigit($0) }
    let slug = words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-")
    let short = String(slug.prefix(labelLength))
    let spaced = short.replacing("-", with: " ")
    if !short.isEmpty, !short.hasSuffix("-"), category.lowercased() == spaced { return short }
    let suffix = NameHash.text(category)
    return short.isEmpty ? "c-\(suffix)" : "\(short)-\(suffix)"
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: false
    }
  }
}

extension UnsubscribeHeaders {
  /// Nil where no mail has a link; what is missing of two settings is logged.
  init?(_ configuration: EmailConfiguration, logger: Logger) {
    switch (configuration.unsubscribe.isEmpty, configuration.publicURL.isEmpty) {
    case (true, true): return nil
    case (true, false):
      logger.notice("no links to unsubscribe in mails: BELFRY_UNSUBSCRIBE_KEYS is not set")
      return nil
    case (false, true):
      logger.warning("no links to unsubscribe in mails: BELFRY_PUBLIC_URL is not set")
      return nil
    case (false, false):
      self.init(
        keys: configuration.unsubscribe,
        address: configuration.publicURL,
        domain: configuration.messageIDDomain
      )
    }
  }
}

/// Catalogues that want links where there are none.
extension UnsubscribeHeaders {
  /// Logs it of what is in force, and of each version that comes, where mails have no link.
  static func warn(of catalogues: CatalogueInForce, _ configuration: EmailConfiguration, logger: Logger) {
    var missing = configuration.unsubscribe.isEmpty ? ["BELFRY_UNSUBSCRIBE_KEYS"] : []
    if configuration.publicURL.isEmpty { missing.append("BELFRY_PUBLIC_URL") }
    let settings = missing
    let look: @Sendable (Catalogue) -> Void = { catalogue in
      if let warning = warning(of: catalogue, lacking: settings) { logger.warning("\(warning)") }
    }
    catalogues.observe { look($1.catalogue) }
    // A file's, which stays; a version is observed when the database has said it.
    if catalogues.isKnown { look(catalogues.current.catalogue) }
  }

  /// Nil where nothing is missing, or no category is to have links.
  ///
  /// - Parameter settings: Those that are missing.
  static func warning(of catalogue: Catalogue, lacking settings: [String]) -> String? {
    let categories = Set(catalogue.types.filter(\.mail.mayUnsubscribe).map(\.category)).sorted()
    guard !settings.isEmpty, !categories.isEmpty else { return nil }
    let names = categories.prefix(5).joined(separator: ", ") + (categories.count > 5 ? " and others" : "")
    let lacking = settings.joined(separator: " and ")
    return "mails have no link to unsubscribe, though the catalogue wants one for \(names): set \(lacking)"
  }
}
