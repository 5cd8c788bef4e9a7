public import NotificationModel
public import Settings
import Transport

/// What the push dispatcher reads for APNs.
public struct APNsConfiguration: ServiceConfiguration {
  /// One of Apple's two services, and the key for it.
  public struct Service: Sendable {
    public var endpoint: String
    /// The `.p8` file of Apple's developer portal; empty: nothing is sent to this environment.
    public var keyFile: String
    public var keyID: String
  }

  public var teamID: String
  /// The bundle id of the app; a device may have said another.
  public var topic: String
  /// Of devices that did not say theirs.
  public var environment: APNsAddress.Environment
  public var production: Service
  public var sandbox: Service
  public var caFile: String
  public var connections: Int
  public var requestTimeout: Duration

  public init(_ settings: Settings) {
    teamID = settings.string(
      "push.apns.teamId",
      default: "",
      "Apple's id of your team, 10 characters. Required where BELFRY_PUSH_PROVIDERS names apns."
    )
    topic = settings.string(
      "push.apns.topic",
      default: "",
      "Bundle id of the app, for devices that register without a topic. Required where BELFRY_PUSH_PROVIDERS names apns."
    )
    environment = settings.choice(
      "push.apns.environment",
      default: .production,
      "Environment of devices that register without one; it needs a key."
    )
    production = Service(
      endpoint: settings.string(
        "push.apns.endpoint",
        default: "https://api.push.apple.com",
        "Origin of APNs for apps from the App Store and TestFlight, https://host or https://host:port."
      ),
      keyFile: settings.string(
        "push.apns.keyFile",
        default: "",
        "Key for the environment production: the .p8 file of Apple's developer portal; empty: none."
      ),
      keyID: settings.string("push.apns.keyId", default: "", "Apple's id of this key, 10 characters.")
    )
    sandbox = Service(
      endpoint: settings.string(
        "push.apns.sandboxEndpoint",
        default: "https://api.sandbox.push.apple.com",
        "Origin of APNs for apps that Xcode installed, https://host or https://host:port."
      ),
      keyFile: settings.string(
        "push.apns.sandboxKeyFile",
        default: "",
        "Key for the environment sandbox; the same file as for production where the key is for both; empty: none."
      ),
      keyID: settings.string("push.apns.sandboxKeyId", default: "", "Apple's id of this key.")
    )
    caFile = settings.string(
      "push.apns.caFile",
      default: "",
      "PEM file of the certificate authority of APNs; empty means the system's."
    )
    connections = settings.integer(
      "push.apns.connections",
      default: 2,
      in: 1...16,
      "HTTP/2 connections to each environment of APNs, of up to 250 concurrent pushes each, as APNs allows."
    )
    requestTimeout = settings.duration(
      "push.apns.requestTimeout",
      default: .seconds(15),
      in: .seconds(1) ... .seconds(120),
      "How long APNs may take to answer, shorter than BELFRY_SERVICE_SHUTDOWN_DEADLINE."
    )
    settings.require(
      "push.apns.requestTimeout",
      shorterThan: "service.shutdownDeadline",
      "a push in flight at a shutdown could not end, and would be sent again."
    )
    for (service, name) in [(production, ""), (sandbox, "SANDBOX_")] {
      if !HTTP2Client.isOrigin(service.endpoint) {
        settings.problem("BELFRY_PUSH_APNS_\(name)ENDPOINT: expected https://host or https://host:port, without a path")
      }
      if service.keyFile.isEmpty != service.keyID.isEmpty {
        settings.problem("BELFRY_PUSH_APNS_\(name)KEY_FILE and BELFRY_PUSH_APNS_\(name)KEY_ID: set both or neither")
      }
    }
  }

  public func service(of environment: APNsAddress.Environment) -> Service {
    switch environment {
    case .production: production
    case .sandbox: sandbox
    }
  }

  /// Those for which there is a key.
  public var environments: [APNsAddress.Environment] {
    APNsAddress.Environment.allCases.filter { !service(of: $0).keyFile.isEmpty }
  }

  /// Reports what APNs cannot do without, where pushes go through it.
  func requireKey(_ settings: Settings) {
    let file = environment == .production ? "KEY_FILE" : "SANDBOX_KEY_FILE"
    let needed = [
      ("TEAM_ID", teamID), ("TOPIC", topic), (file, service(of: environment).keyFile),
    ]
    for (name, value) in needed where value.isEmpty {
      settings.problem("BELFRY_PUSH_APNS_\(name) is required: \(Self.remedy)")
    }
  }

  /// What to do where there is no key.
  static let remedy = "see docs/push.md for what Apple gives you, or leave apns out of BELFRY_PUSH_PROVIDERS"
}
