import Dispatching
public import Settings
import Transport

/// What the push dispatcher reads for FCM.
public struct FCMConfiguration: ServiceConfiguration {
  /// File with the Firebase service account (Firebase console: project settings, service accounts); empty: none.
  public var serviceAccountFile: String
  /// Base address of FCM.
  public var endpoint: String
  public var caFile: String
  public var connections: Int
  public var requestTimeout: Duration
  /// Pushes a minute of all push dispatchers together; 0: as many as there are.
  public var quotaPerMinute: Int
  /// What a click on a browser's notification opens; empty: nothing.
  public var webLink: String
  public var webIcon: String

  /// FCM itself.
  private static let google = "https://fcm.googleapis.com"

  /// What browsers show and open.
  var web: WebAppearance {
    WebAppearance(link: webLink.isEmpty ? nil : webLink, icon: webIcon.isEmpty ? nil : webIcon)
  }

  /// Google asks for no retries around the quarters of an hour; nobody else does.
  var control: ControlSettings {
    ControlSettings(quotaPerMinute: quotaPerMinute, sparesQuarterHours: endpoint == Self.google)
  }

  public init(_ settings: Settings) {
    serviceAccountFile = settings.string(
      "push.serviceAccountFile",
      default: "",
      "JSON file of the Firebase service account. Required where BELFRY_PUSH_PROVIDERS names fcm."
    )
    endpoint = settings.string(
      "push.endpoint",
      default: Self.google,
      "Origin of FCM, https://host or https://host:port; another one for tests."
    )
    if !HTTP2Client.isOrigin(endpoint) {
      settings.problem("BELFRY_PUSH_ENDPOINT: expected https://host or https://host:port, without a path")
    }
    caFile = settings.string(
      "push.caFile",
      default: "",
      "PEM file of the certificate authority of FCM; empty means the system's."
    )
    connections = settings.integer(
      "push.connections",
      default: 2,
      in: 1...16,
      "HTTP/2 connections to FCM, of 100 concurrent pushes each."
    )
    requestTimeout = settings.duration(
      "push.requestTimeout",
      default: .seconds(15),
      in: .seconds(1) ... .seconds(120),
      "How long FCM may take to answer, shorter than BELFRY_SERVICE_SHUTDOWN_DEADLINE; Google asks for 10 s or more."
    )
    settings.require(
      "push.requestTimeout",
      shorterThan: "service.shutdownDeadline",
      "a push in flight at a shutdown could not end, and would be sent again."
    )
    quotaPerMinute = settings.integer(
      "push.fcm.quotaPerMinute",
      default: 600_000,
      in: 0...100_000_000,
      "Pushes a minute that FCM lets the project send, shared by all push dispatchers; 0: no limit of ours."
    )
    webLink = settings.string(
      "push.webLink",
      default: "",
      "https:// address that a click on a browser's notification opens, with ?notificationId=<id> added; empty: none. FCM and Web "
        + "Push."
    )
    if !webLink.isEmpty, !webLink.hasPrefix("https://") {
      // FCM refuses any other.
      settings.problem("BELFRY_PUSH_WEB_LINK: expected an https:// address")
    }
    webIcon = settings.string(
      "push.webIcon",
      default: "",
      "Address of the picture beside a browser's notification; empty: the browser's own."
    )
  }

  /// Reports what FCM cannot do without, where pushes go through it.
  func requireKey(_ settings: Settings) {
    guard serviceAccountFile.isEmpty else { return }
    settings.problem("BELFRY_PUSH_SERVICE_ACCOUNT_FILE is required: \(Self.remedy)")
  }

  /// What to do where there is no key.
  static let remedy = "name the JSON file of the Firebase service account, or leave fcm out of BELFRY_PUSH_PROVIDERS"
}
