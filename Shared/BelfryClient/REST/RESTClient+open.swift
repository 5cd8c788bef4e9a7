import Foundation
import BelfryJSON

/// What needs no token.
extension RESTClient {
  /// Which types there are, and what apps show of them.
  ///
  /// - Parameter locale: Of the buttons' titles, such as `de`.
  public func getCatalogue(locale: String? = nil) async throws -> CatalogueSummary {
    try await call(.getCatalogue, query: locale.map { [("locale", $0)] } ?? [], as: CatalogueSummary.init)
  }

  /// Where the hub is, and how much one call may ask for.
  func getBellConfiguration() async throws -> GatewayConfiguration {
    let gateway = gateway
    return try await call(.getBellConfiguration) { GatewayConfiguration($0, gateway: gateway) }
  }
}

/// What apps show of the catalogue. Source: `CatalogueDto` of `openapi.yaml`.
public struct CatalogueSummary: Sendable, Equatable {
  /// A type of notifications.
  public struct NotificationType: Sendable, Equatable {
    /// As in ``BelfryNotification/type``.
    public let code: Int
    /// Also the category of its pushes on iOS.
    public let name: String
    /// The heading that it is under.
    public let category: String
    /// Its buttons, in their order.
    public let actions: [BelfryAction]
  }

  /// A number that each user may set.
  public struct Setting: Sendable, Equatable {
    /// As in ``Preferences/settings``.
    public let name: String
    /// The lowest value that is taken.
    public let minimum: Double
    /// The highest value that is taken.
    public let maximum: Double
    /// What holds for users who have set nothing.
    public let defaultValue: Double
    /// What apps call it.
    public let title: String?
  }

  /// All types, in the catalogue's order.
  public let types: [NotificationType]
  /// Headings in preferences, in their order.
  public let categories: [String]
  /// What each user may set, in the catalogue's order.
  public let settings: [Setting]

  init?(_ json: JSONValue) {
    guard let types = json["types"]?.array, let categories = json["categories"]?.array else { return nil }
    self.types = types.compactMap { type in
      guard let code = type["code"]?.integer, let name = type["name"]?.string else { return nil }
      return NotificationType(
        code: code,
        name: name,
        category: type["category"]?.string ?? "",
        actions: (type["actions"]?.array ?? []).compactMap(BelfryAction.init)
      )
    }
    self.categories = categories.compactMap { $0["name"]?.string }
    settings = (json["settings"]?.array ?? []).compactMap { setting in
      guard let name = setting["name"]?.string, let minimum = setting["minimum"]?.double,
        let maximum = setting["maximum"]?.double, let standard = setting["default"]?.double
      else { return nil }
      return Setting(
        name: name,
        minimum: minimum,
        maximum: maximum,
        defaultValue: standard,
        title: setting["title"]?.string
      )
    }
  }
}

/// What the gateway says of itself. Source: `BellConfigurationDto` of `openapi.yaml`.
struct GatewayConfiguration: Sendable, Equatable {
  let hub: URL
  let limits: CallLimits

  private static func url(_ text: String, below gateway: URL) -> URL? {
    let folder = gateway.absoluteString.hasSuffix("/") ? gateway : URL(string: gateway.absoluteString + "/")
    return URL(string: text, relativeTo: folder)?.absoluteURL
  }

  init?(_ json: JSONValue, gateway: URL) {
    guard let text = json["hub"]?.string, let hub = Self.url(text, below: gateway),
      ["http", "https"].contains(hub.scheme)
    else { return nil }
    self.hub = hub
    limits = CallLimits(
      pageSize: json["limits"]?["pageSize"]?.integer,
      notificationIds: json["limits"]?["notificationIds"]?.integer
    )
  }
}

/// How much one call asks for at most.
struct CallLimits: Sendable, Equatable {
  private(set) var pageSize = 50
  private(set) var notificationIds = 500

  /// Less where the gateway says so.
  init(pageSize: Int? = nil, notificationIds: Int? = nil) {
    if let pageSize, pageSize > 0 { self.pageSize = min(pageSize, self.pageSize) }
    if let notificationIds, notificationIds > 0 { self.notificationIds = min(notificationIds, self.notificationIds) }
  }
}
