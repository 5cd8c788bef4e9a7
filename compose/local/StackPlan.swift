/// The ports, secrets, files and variables of a local stack: everything that is decided before something is started.
struct StackPlan: Sendable {
  static let database = "belfry"

  let configuration: BelfryStackConfiguration
  let tokenSecret: String
  let fcmPort: Int
  let smtpPort: Int
  let controlPort: Int

  init(_ configuration: BelfryStackConfiguration) throws(LocalStackError) {
    self.configuration = configuration
    tokenSecret = try Files.secret("\(configuration.directory)/token-secret")
    fcmPort = try FreePort.find()
    smtpPort = try FreePort.find()
    controlPort = try FreePort.find()
  }

  var simulatorDirectory: String { "\(configuration.directory)/simulator" }

  /// The simulator, not started.
  func simulator() -> StackProcess {
    let variables = [
      "BELFRY_SIMULATOR_DATA_DIR": simulatorDirectory,
      "BELFRY_SIMULATOR_FCM_PORT": String(fcmPort),
      "BELFRY_SIMULATOR_SMTP_PORT": String(smtpPort),
      "BELFRY_SIMULATOR_CONTROL_PORT": String(controlPort),
    ]
    return StackProcess(
      name: "simulator",
      executable: "\(configuration.programs)/belfry-simulator",
      environment: environment(variables, configuration.simulatorVariables),
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
        processes.append(
          process(
            service,
            name: "\(service.rawValue)-\(number + 1)",
            port: try FreePort.find(preferring: number == 0 ? preferredPort(of: service) : nil),
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
    var variables = variables(of: service, port: port)
    variables["BELFRY_BROKER_URL"] = brokerURL
    variables["BELFRY_DATABASE_URL"] = databaseURL
    return StackProcess(
      name: name,
      service: service,
      executable: "\(configuration.programs)/\(service.executable)",
      environment: environment(variables, configuration.variables[service] ?? [:], own),
      port: port,
      readiness: .health(port: port),
      logFile: log(name)
    )
  }

  func log(_ name: String) -> String { "\(configuration.directory)/logs/\(name).log" }

  func environment(_ layers: [String: String]...) -> [String: String] {
    layers.reduce(LocalProcess.inheritedEnvironment) { $0.merging($1) { $1 } }
  }

  private func preferredPort(of service: BelfryService) -> Int? {
    switch service {
    case .gateway: configuration.gatewayPort
    case .inapp: configuration.inAppPort
    case .router, .push, .email: nil
    }
  }

  private func variables(of service: BelfryService, port: Int) -> [String: String] {
    switch service {
    case .gateway:
      ["BELFRY_GATEWAY_PORT": String(port), "BELFRY_AUTH_SECRET": tokenSecret]
    case .inapp:
      ["BELFRY_INAPP_PORT": String(port), "BELFRY_AUTH_SECRET": tokenSecret]
    case .router:
      ["BELFRY_HEALTH_PORT": String(port)]
    case .push:
      [
        "BELFRY_HEALTH_PORT": String(port),
        "BELFRY_PUSH_SERVICE_ACCOUNT_FILE": "\(simulatorDirectory)/service-account.json",
        "BELFRY_PUSH_ENDPOINT": "https://localhost:\(fcmPort)",
        "BELFRY_PUSH_CA_FILE": "\(simulatorDirectory)/ca.pem",
      ]
    case .email:
      [
        "BELFRY_HEALTH_PORT": String(port),
        "BELFRY_EMAIL_HOST": "localhost",
        "BELFRY_EMAIL_PORT": String(smtpPort),
        "BELFRY_EMAIL_SECURITY": "startTLS",
        "BELFRY_EMAIL_CA_FILE": "\(simulatorDirectory)/ca.pem",
        "BELFRY_EMAIL_USERNAME": "belfry",
        "BELFRY_EMAIL_PASSWORD": "belfry",
        "BELFRY_EMAIL_FROM": "belfry@localhost",
      ]
    }
  }
}
