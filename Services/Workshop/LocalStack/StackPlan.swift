import Cryptography

/// The ports, secrets, files and variables of a local stack: everything that is decided before something is started.
struct StackPlan: Sendable {
  static let database = "belfry"
  private static let simulatorExecutable = "belfry-simulator"
  /// What a person may set otherwise.
  private static let defaults = [
    "BELFRY_EMAIL_FROM": "belfry@localhost", "BELFRY_GATEWAY_PRIVATE_PUSH_ENDPOINTS": "true",
    "BELFRY_PUSH_PROVIDERS": "fcm,apns,webPush",
  ]

  let configuration: BelfryStackConfiguration
  let tokenSecret: String
  /// With which browsers subscribe; in base64url.
  let vapidPublicKey: String
  /// With which receipts are signed.
  let receiptSecret: String
  let fcmPort: Int
  let apnsPort: Int
  let apnsSandboxPort: Int
  let webPushPort: Int
  /// To which Firefox connects.
  let webPushSocketPort: Int
  let smtpPort: Int
  let controlPort: Int
  /// The first gateway's and the first in-app dispatcher's.
  let gatewayPort: Int
  let hubPort: Int

  init(_ configuration: BelfryStackConfiguration) throws(LocalStackError) {
    self.configuration = configuration
    tokenSecret = try Files.secret("\(configuration.directory)/token-secret")
    receiptSecret = try Files.secret("\(configuration.directory)/receipt-secret")
    vapidPublicKey = try Self.vapidKey(Self.vapidFile(configuration)).publicText
    fcmPort = try FreePort.find()
    apnsPort = try FreePort.find()
    apnsSandboxPort = try FreePort.find()
    webPushPort = try FreePort.find()
    webPushSocketPort = try FreePort.find()
    smtpPort = try FreePort.find()
    controlPort = try FreePort.find(preferring: configuration.simulatorPort)
    gatewayPort = try FreePort.find(preferring: configuration.gatewayPort)
    hubPort = try FreePort.find(preferring: configuration.inAppPort)
  }

  private static func vapidFile(_ configuration: BelfryStackConfiguration) -> String {
    "\(configuration.directory)/vapid.pem"
  }

  /// The key in the file, which is made at the first start: browsers stay subscribed.
  private static func vapidKey(_ path: String) throws(LocalStackError) -> VAPIDKey {
    let key: VAPIDKey
    do throws(CryptographyError) {
      if let text = Files.read(path) { return try VAPIDKey(PrivateKey(pem: text, .p256)) }
      key = try VAPIDKey(PrivateKey(.p256))
    } catch {
      throw LocalStackError(.fileSystem, "\(path) has no VAPID key, delete it to get a new one: \(error)")
    }
    try Files.write(key.pem, to: path)
    return key
  }

  var simulatorDirectory: String { "\(configuration.directory)/simulator" }

  /// Names of the settings that the services get as they were given.
  var taken: [String] { configuration.settings.keys.filter { !fixed.contains($0) }.sorted() }

  /// Names of the settings given that the stack decides itself.
  var overridden: [String] { configuration.settings.keys.filter(fixed.contains).sorted() }

  private var fixed: Set<String> {
    BelfryService.allCases.reduce(Set(simulatorVariables.keys)) { names, service in
      names.union(variables(of: service, port: 0, databaseURL: "", brokerURL: "").keys)
    }.subtracting(Self.lists)
  }

  /// Lists to which the stack adds its own.
  private static let lists = ["BELFRY_GATEWAY_ALLOWED_ORIGINS", "BELFRY_INAPP_ALLOWED_ORIGINS"]

  /// Where the program of that name is: a link, by whose name it knows what to be.
  func program(_ name: String) -> String { "\(configuration.directory)/programs/\(name)" }

  /// Makes the links, in place of those of an earlier start.
  func linkPrograms() throws(LocalStackError) {
    try Files.makeDirectory("\(configuration.directory)/programs")
    let programs = configuration.programs
    for service in BelfryService.allCases { try Files.link(program(service.executable), to: programs.product) }
    try Files.link(program(Self.simulatorExecutable), to: programs.workshop)
  }

  /// The simulator, not started.
  func simulator() -> StackProcess {
    StackProcess(
      name: "simulator",
      executable: program(Self.simulatorExecutable),
      environment: environment(simulatorVariables, configuration.simulatorVariables),
      port: controlPort,
      readiness: .file("\(simulatorDirectory)/ports.json"),
      logFile: log("simulator")
    )
  }

  /// Every copy of every service, not started.
  func services(databaseURL: String, brokerURL: String) throws(LocalStackError) -> [StackProcess] {
    var processes: [StackProcess] = []
    for service in BelfryService.allCases {
      for number in 0..<configuration.count(of: service) {
        let first = number == 0 ? firstPort(of: service) : nil
        processes.append(
          process(
            service,
            name: "\(service.rawValue)-\(number + 1)",
            port: try FreePort.find(preferring: first),
            databaseURL: databaseURL,
            brokerURL: brokerURL
          )
        )
      }
    }
    return processes
  }

  /// One copy of a service, not started.
  ///
  /// - Parameter own: Variables of this copy alone.
  func process(
    _ service: BelfryService,
    name: String,
    port: Int,
    databaseURL: String,
    brokerURL: String,
    own: [String: String] = [:]
  ) -> StackProcess {
    let variables = variables(of: service, port: port, databaseURL: databaseURL, brokerURL: brokerURL)
    let environment = environment(variables, configuration.variables[service] ?? [:], own)
    let known = configuration.knownSettings[service]
    return StackProcess(
      name: name,
      service: service,
      executable: program(service.executable),
      environment: known.map { known in environment.filter { !$0.key.hasPrefix("BELFRY_") || known.contains($0.key) } }
        ?? environment,
      port: port,
      readiness: .health(port: port),
      logFile: log(name)
    )
  }

  func log(_ name: String) -> String { "\(configuration.directory)/logs/\(name).log" }

  /// What a process is given: the later layers win, and all of them over the settings of the configuration.
  func environment(_ layers: [String: String]...) -> [String: String] {
    ([Self.defaults, configuration.settings] + layers).reduce(LocalProcess.inheritedEnvironment) {
      $0.merging($1) { $1 }
    }
  }

  private func firstPort(of service: BelfryService) -> Int? {
    switch service {
    case .gateway: gatewayPort
    case .inapp: hubPort
    case .router, .push, .email: nil
    }
  }

  private var simulatorVariables: [String: String] {
    [
      "BELFRY_SIMULATOR_DATA_DIR": simulatorDirectory,
      "BELFRY_SIMULATOR_HOST": "127.0.0.1",
      "BELFRY_SIMULATOR_FCM_PORT": String(fcmPort),
      "BELFRY_SIMULATOR_APNS_PORT": String(apnsPort),
      "BELFRY_SIMULATOR_APNS_SANDBOX_PORT": String(apnsSandboxPort),
      "BELFRY_SIMULATOR_WEB_PUSH_PORT": String(webPushPort),
      "BELFRY_SIMULATOR_WEB_PUSH_SOCKET_PORT": String(webPushSocketPort),
      "BELFRY_SIMULATOR_SMTP_PORT": String(smtpPort),
      "BELFRY_SIMULATOR_CONTROL_PORT": String(controlPort),
      "BELFRY_SIMULATOR_SMTP_USER": "belfry",
      "BELFRY_SIMULATOR_SMTP_PASSWORD": "belfry",
      "BELFRY_SIMULATOR_PAGE_ORIGINS":
        "http://127.0.0.1:\(gatewayPort),http://127.0.0.1:\(hubPort),ws://127.0.0.1:\(hubPort)",
    ]
  }

  /// Where web pages reach the hub.
  private var hubURL: String { "http://127.0.0.1:\(hubPort)/hubs/notifications" }

  /// Of the simulator's page, and of those that the setting of that name lists.
  private func origins(besides setting: String) -> String {
    let own = ["127.0.0.1", "localhost"].map { "http://\($0):\(controlPort)" }
    return ([configuration.settings[setting] ?? ""] + own).filter { !$0.isEmpty }.joined(separator: ",")
  }

  /// What the stack decides for a service: a name that several services read, all of them are given.
  private func variables(
    of service: BelfryService,
    port: Int,
    databaseURL: String,
    brokerURL: String
  ) -> [String: String] {
    ["BELFRY_DATABASE_URL": databaseURL, "BELFRY_BROKER_URL": brokerURL].merging(own(of: service, port: port)) { $1 }
  }

  /// The stack signs its tokens itself, and names no issuer or audience in them; an empty setting is none.
  private var authentication: [String: String] {
    ["BELFRY_AUTH_SECRET": tokenSecret, "BELFRY_AUTH_ISSUER": "", "BELFRY_AUTH_AUDIENCE": ""]
  }

  /// The simulator's team, app and keys.
  private var apns: [String: String] {
    [
      "BELFRY_PUSH_APNS_TEAM_ID": "BELFRYTEAM",
      "BELFRY_PUSH_APNS_TOPIC": "com.example.belfry",
      "BELFRY_PUSH_APNS_ENDPOINT": "https://localhost:\(apnsPort)",
      "BELFRY_PUSH_APNS_KEY_FILE": "\(simulatorDirectory)/apns-production.p8",
      "BELFRY_PUSH_APNS_KEY_ID": "PRODUCTION",
      "BELFRY_PUSH_APNS_SANDBOX_ENDPOINT": "https://localhost:\(apnsSandboxPort)",
      "BELFRY_PUSH_APNS_SANDBOX_KEY_FILE": "\(simulatorDirectory)/apns-sandbox.p8",
      "BELFRY_PUSH_APNS_SANDBOX_KEY_ID": "SANDBOXKEY",
      "BELFRY_PUSH_APNS_CA_FILE": "\(simulatorDirectory)/ca.pem",
    ]
  }

  /// The simulator's push service, which gateway and push dispatcher have to know, and both secrets of receipts.
  private var browsers: [String: String] {
    ["BELFRY_PUSH_WEBPUSH_HOSTS": "localhost:\(webPushPort)", "BELFRY_RECEIPTS_KEYS": receiptSecret]
  }

  private var webPush: [String: String] {
    [
      "BELFRY_PUSH_WEBPUSH_KEY_FILE": Self.vapidFile(configuration),
      "BELFRY_PUSH_WEBPUSH_SUBJECT": "mailto:belfry@example.com",
      "BELFRY_PUSH_WEBPUSH_PRIVATE_ENDPOINTS": "true",
      "BELFRY_PUSH_WEBPUSH_CA_FILE": "\(simulatorDirectory)/ca.pem",
    ].merging(browsers) { $1 }
  }

  private func own(of service: BelfryService, port: Int) -> [String: String] {
    switch service {
    case .gateway:
      [
        "BELFRY_GATEWAY_PORT": String(port),
        "BELFRY_HEALTH_PORT": "0",
        "BELFRY_GATEWAY_HUB_URL": hubURL,
        "BELFRY_GATEWAY_ALLOWED_ORIGINS": origins(besides: "BELFRY_GATEWAY_ALLOWED_ORIGINS"),
        "BELFRY_GATEWAY_VAPID_PUBLIC_KEY": vapidPublicKey,
      ].merging(authentication) { $1 }.merging(browsers) { $1 }
    case .inapp:
      [
        "BELFRY_INAPP_PORT": String(port),
        "BELFRY_HEALTH_PORT": "0",
        "BELFRY_INAPP_ALLOWED_ORIGINS": origins(besides: "BELFRY_INAPP_ALLOWED_ORIGINS"),
      ].merging(authentication) { $1 }
    case .router:
      ["BELFRY_HEALTH_PORT": String(port)]
    case .push:
      [
        "BELFRY_HEALTH_PORT": String(port),
        "BELFRY_PUSH_SERVICE_ACCOUNT_FILE": "\(simulatorDirectory)/service-account.json",
        "BELFRY_PUSH_ENDPOINT": "https://localhost:\(fcmPort)",
        "BELFRY_PUSH_CA_FILE": "\(simulatorDirectory)/ca.pem",
        // The simulator has no quota, and nothing is measured while one begins slowly.
        "BELFRY_PUSH_FCM_QUOTA_PER_MINUTE": "0",
      ].merging(apns) { $1 }.merging(webPush) { $1 }
    case .email:
      [
        "BELFRY_HEALTH_PORT": String(port),
        "BELFRY_EMAIL_HOST": "localhost",
        "BELFRY_EMAIL_PORT": String(smtpPort),
        "BELFRY_EMAIL_SECURITY": "startTLS",
        "BELFRY_EMAIL_CA_FILE": "\(simulatorDirectory)/ca.pem",
        "BELFRY_EMAIL_USERNAME": "belfry",
        "BELFRY_EMAIL_PASSWORD": "belfry",
      ]
    }
  }
}
