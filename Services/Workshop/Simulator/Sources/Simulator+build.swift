import DevelopmentControl
import Hummingbird
public import Logging
import NIOHTTP2
public import ServiceLifecycle

/// Builds the simulator: FCM, APNs, a browser's push service, SMTP sink, control API, and the file with their ports.
public func buildSimulator(_ configuration: SimulatorConfiguration, _ logger: Logger) async throws -> [any Service] {
  let directory = try DataDirectory(configuration.dataDirectory)
  let certificate = try ServerCertificate(directory, names: configuration.names)
  let account = try ServiceAccount(
    project: configuration.project,
    host: configuration.names.first ?? "localhost",
    directory: directory
  )
  let apnsAccount = try APNsAccount(directory: directory)
  let ports = ListeningPorts()
  let faults = FaultList()
  let tokens = AccessTokens(lifetime: configuration.accessTokenLifetime)
  let feed = ActivityFeed()
  let pushes = PushLog(maximumCount: configuration.keptPushes, maximumBytes: configuration.keptBytes, feed: feed)
  let subscriptions = TopicSubscriptions()
  let mails = MailLog(maximumCount: configuration.keptMails, maximumBytes: configuration.keptBytes, feed: feed)
  // Hummingbird reports every listener and request; the simulator has its own line.
  var quiet = logger
  quiet.logLevel = max(logger.logLevel, .warning)

  let fcm = FCMServer(
    host: configuration.host,
    port: configuration.fcmPort,
    tls: try certificate.context(applicationProtocols: NIOHTTP2SupportedALPNProtocols),
    responder: FCMResponder(
      account: account,
      tokens: tokens,
      faults: faults,
      log: pushes,
      subscriptions: subscriptions,
      ports: ports
    )
  )
  let apnsDevices = APNsDevices()
  let apnsLog = APNsLog(maximumCount: configuration.keptPushes, maximumBytes: configuration.keptBytes, feed: feed)
  let apns = try APNsEnvironment.allCases.map { environment in
    APNsServer(
      host: configuration.host,
      port: environment == .production ? configuration.apnsPort : configuration.apnsSandboxPort,
      streams: configuration.apnsStreams,
      tls: try certificate.context(applicationProtocols: NIOHTTP2SupportedALPNProtocols),
      responder: APNsResponder(
        environment: environment,
        account: apnsAccount,
        devices: apnsDevices,
        faults: faults,
        log: apnsLog
      ),
      ports: ports
    )
  }
  let browserSubscriptions = WebPushSubscriptions()
  let browserLog = WebPushLog(
    maximumCount: configuration.keptPushes,
    maximumBytes: configuration.keptBytes,
    feed: feed
  )
  let browsers = WebPushResponder(
    host: configuration.names.first ?? "localhost",
    subscriptions: browserSubscriptions,
    browsers: BrowserConnections(subscriptions: browserSubscriptions, log: browserLog),
    faults: faults,
    log: browserLog,
    ports: ports
  )
  let webPush = WebPushServer(
    host: configuration.host,
    port: configuration.webPushPort,
    tls: try certificate.context(applicationProtocols: NIOHTTP2SupportedALPNProtocols),
    responder: browsers
  )
  let webPushSocket = WebPushSocketServer(
    host: configuration.host,
    port: configuration.webPushSocketPort,
    responder: browsers
  )
  let smtp = SMTPServer(
    host: configuration.host,
    port: configuration.smtpPort,
    policy: SMTPPolicy(
      user: configuration.smtpUser,
      password: configuration.smtpPassword,
      requiresAuthentication: configuration.requiresSMTPAuthentication
    ),
    tls: try certificate.context(),
    faults: faults,
    log: mails,
    ports: ports
  )
  let development =
    configuration.developmentSocket.isEmpty ? nil : DevelopmentClient(path: configuration.developmentSocket)
  let router = Router()
  router.add(middleware: LocalCallers(names: configuration.names))
  ControlAPI(
    project: configuration.project,
    apns: APNsControl(log: apnsLog, devices: apnsDevices),
    webPush: WebPushControl(responder: browsers),
    pushes: pushes,
    subscriptions: subscriptions,
    mails: mails,
    faults: faults,
    tokens: tokens
  ).addRoutes(to: router)
  ActivityController(feed: feed, pushes: pushes, apns: apnsLog, browsers: browsers.log, mails: mails)
    .addRoutes(to: router)
  DevelopmentController(client: development).addRoutes(to: router)
  PageController(origins: configuration.pageOrigins).addRoutes(to: router)
  DocumentsController(
    directory: configuration.docsDirectory.isEmpty ? nil : DocumentsDirectory(configuration.docsDirectory)
  ).addRoutes(to: router)
  let controlPort = configuration.controlPort
  let application = Application(
    router: router,
    configuration: .init(address: .hostname(configuration.host, port: controlPort)),
    onServerRunning: { ports.listening(.control, on: $0.localAddress?.port ?? controlPort) },
    logger: quiet
  )
  let link = development.map { DevelopmentLink(client: $0, feed: feed) }
  return [
    fcm, apns[0], apns[1], webPush, webPushSocket, smtp, application,
    PortsFile(ports: ports, account: account, directory: directory, logger: logger), feed,
  ]
    + [link].compactMap(\.self)
}
