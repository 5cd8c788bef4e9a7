// swift-tools-version: 6.2
import PackageDescription

/// Every target of Belfry: Swift 6 mode, explicit existentials and imports.
let language: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// What only we build: no warning goes unnoticed.
let settings = language + [.treatAllWarnings(as: .error)]

// MARK: Modules of others, and the packages they come from

/// Belfry's servers and their tests are built with this trait, which the Makefile names. It is off for apps, and so they fetch none of
/// the packages below: every product of another package has to depend on it.
let server = "Server"

/// Whether this is fetched for an app, and so has the client alone. SwiftPM builds no graph in which two packages have a target of one
/// name, even if nobody needs these targets, and an app may have a `Settings` or a `Router`.
let isFetched = Context.packageDirectory.split(separator: "/").dropLast().last == "checkouts"

func library(_ product: String, _ package: String) -> Target.Dependency {
  .product(name: product, package: package, condition: .when(traits: [server]))
}

let libraries: [String: Target.Dependency] = [
  "argumentParser": library("ArgumentParser", "swift-argument-parser"),
  "configuration": library("Configuration", "swift-configuration"),
  "deque": library("DequeModule", "swift-collections"),
  "histogram": library("Histogram", "hdrhistogram-swift"),
  "httpTypes": library("HTTPTypes", "swift-http-types"),
  "hummingbird": library("Hummingbird", "hummingbird"),
  "inMemoryTracing": library("InMemoryTracing", "swift-distributed-tracing"),
  "lifecycle": library("ServiceLifecycle", "swift-service-lifecycle"),
  "logging": library("Logging", "swift-log"),
  "metrics": library("Metrics", "swift-metrics"),
  "metricsTestKit": library("MetricsTestKit", "swift-metrics"),
  "mustache": library("Mustache", "swift-mustache"),
  "nio": library("NIOCore", "swift-nio"),
  "nioEmbedded": library("NIOEmbedded", "swift-nio"),
  "nioHTTP1": library("NIOHTTP1", "swift-nio"),
  "nioHPACK": library("NIOHPACK", "swift-nio-http2"),
  "nioHTTP2": library("NIOHTTP2", "swift-nio-http2"),
  "nioHTTPTypes": library("NIOHTTPTypes", "swift-nio-extras"),
  "nioPosix": library("NIOPosix", "swift-nio"),
  "nioTLS": library("NIOTLS", "swift-nio"),
  "nioWebSocket": library("NIOWebSocket", "swift-nio"),
  "openCombine": library("OpenCombine", "OpenCombine"),
  "tracing": library("Tracing", "swift-distributed-tracing"),
  "unixSignals": library("UnixSignals", "swift-service-lifecycle"),
  "yams": library("Yams", "Yams"),
]

// MARK: Shapes of targets

/// What a module imports: names of Belfry's own modules and of ``libraries``, with blanks between.
func modules(_ names: String) -> [Target.Dependency] {
  names.split(whereSeparator: \.isWhitespace).map { libraries[String($0)] ?? .byName(name: String($0)) }
}

/// What a module of the servers imports, and what stops its build without the trait.
func serverModules(_ names: String) -> [Target.Dependency] {
  modules(names) + ["ServerTrait"]
}

/// A module whose sources lie in a folder.
///
/// - Parameter exclude: What lies beside the sources and is no source.
func module(_ name: String, at path: String, _ imports: String, exclude: [String] = []) -> Target {
  .target(name: name, dependencies: serverModules(imports), path: path, exclude: exclude, swiftSettings: settings)
}

func shared(_ name: String, _ imports: String = "", exclude: [String] = []) -> Target {
  module(name, at: "Shared/\(name)", imports, exclude: exclude)
}

/// A module that apps build: it imports no other package, and its warnings are no errors, for a newer compiler may find new ones.
func client(_ name: String, _ imports: String = "", exclude: [String] = []) -> Target {
  .target(
    name: name,
    dependencies: modules(imports),
    path: "Shared/\(name)",
    exclude: exclude,
    swiftSettings: language
  )
}

/// A service is a library, which `belfry` runs when it is called by the service's name.
func service(_ name: String, _ imports: String) -> Target {
  module(name, at: "Services/\(name)/Sources", imports)
}

func program(_ name: String, at path: String, _ imports: String) -> Target {
  .executableTarget(name: name, dependencies: serverModules(imports), path: path, swiftSettings: settings)
}

func tests(_ name: String, _ imports: String, exclude: [String] = []) -> Target {
  .testTarget(
    name: name,
    dependencies: serverModules(imports),
    path: "Tests/\(name)",
    exclude: exclude,
    swiftSettings: settings
  )
}

func cLibrary(_ name: String, pkgConfig: String, apt: String) -> Target {
  .systemLibrary(name: name, path: "Shared/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt])])
}

// MARK: Targets, in the order of their dependencies

/// All that apps build.
let clients: [Target] = [
  client("BelfryJSON"),
  client("SignalRProtocol", "BelfryJSON"),
  client("BelfryClient", "BelfryJSON SignalRProtocol"),
  // A server in memory, for previews and the tests of apps.
  client("BelfryClientTesting", "BelfryClient BelfryJSON SignalRProtocol"),
  // For backends.
  client("BelfrySender"),
]

let drivers: [Target] = [
  // Empty; does not compile without the trait.
  .target(name: "ServerTrait", path: "Shared/ServerTrait", swiftSettings: settings),
  cLibrary("CPostgreSQL", pkgConfig: "libpq", apt: "libpq-dev"),
  cLibrary("CRabbitMQ", pkgConfig: "librabbitmq", apt: "librabbitmq-dev"),
  cLibrary("CCurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev"),
  cLibrary("CNGHTTP2", pkgConfig: "libnghttp2", apt: "libnghttp2-dev"),
  cLibrary("COpenSSL", pkgConfig: "openssl", apt: "libssl-dev"),
  shared("Cryptography", "COpenSSL"),
  shared("TLS", "COpenSSL Cryptography"),
  shared("NetworkAddresses"),
  shared("TerminalText"),
  shared("YAMLBounds", "yams"),
  shared("DriverExecutor"),
  shared("MailReports"),
  shared("Retrying", "lifecycle"),
  shared("Settings", "TerminalText configuration"),
  shared("Postgres", "CPostgreSQL DriverExecutor Retrying Settings deque lifecycle logging"),
  shared("Broker", "CRabbitMQ DriverExecutor Retrying Settings deque lifecycle logging metrics tracing"),
  shared(
    "Transport",
    "CCurl CNGHTTP2 Cryptography DriverExecutor NetworkAddresses Retrying TLS deque lifecycle logging"
  ),
]

let domain: [Target] = [
  // Files of the repository that are inside both programs.
  .target(name: "CEmbedded", path: "Shared/CEmbedded", exclude: ["make"]),
  shared("Embedded", "CEmbedded"),
  shared("ServiceFaults", "Broker Postgres logging"),
  shared("WallClock"),
  shared("Recurrence", "WallClock"),
  shared("UserIdentity", "Cryptography"),
  shared("Rules", "BelfryJSON TerminalText UserIdentity WallClock"),
  shared(
    "NotificationModel",
    "Cryptography Embedded BelfryJSON Recurrence Rules TerminalText UserIdentity WallClock YAMLBounds mustache yams",
    exclude: ["catalogue.schema.json", "catalogue.yaml", "mail-layout.html"]
  ),
  shared("NotificationQueue", "Broker BelfryJSON NotificationModel Rules Settings TerminalText WallClock logging"),
  shared(
    "NotificationStore",
    "Embedded BelfryJSON NotificationModel Postgres Rules UserIdentity WallClock logging",
    exclude: ["Migrations", "Statements"]
  ),
  // The catalogue of a process, which follows the versions in the database.
  shared("CatalogueVersions", "NotificationModel NotificationStore Postgres Retrying lifecycle logging"),
  shared(
    "Dispatching",
    """
    Broker NotificationModel NotificationQueue NotificationStore ServiceFaults Postgres Retrying deque lifecycle logging
    metrics tracing
    """
  ),
  shared("Authentication", "Cryptography BelfryJSON Settings UserIdentity"),
  // What the commands of both programs have in common.
  shared(
    "ConsoleCommands",
    "Authentication Broker BelfryJSON Postgres Settings TerminalText Transport argumentParser logging"
  ),
  shared(
    "ServiceRuntime",
    """
    Broker BelfryJSON Postgres Retrying Settings TerminalText hummingbird lifecycle logging nio nioHTTPTypes nioPosix
    unixSignals
    """
  ),
]

let services: [Target] = [
  service(
    "Gateway",
    """
    Authentication Broker CatalogueVersions Cryptography Embedded BelfryJSON MailReports NetworkAddresses NotificationModel NotificationQueue
    NotificationStore Postgres Recurrence Rules ServiceRuntime Settings Transport WallClock httpTypes hummingbird lifecycle
    logging metrics nio tracing
    UserIdentity
    """
  ),
  service(
    "Router",
    """
    Broker CatalogueVersions Cryptography BelfryJSON NotificationModel NotificationQueue NotificationStore Postgres ServiceFaults Recurrence
    Retrying Rules ServiceRuntime Settings WallClock lifecycle logging metrics
    UserIdentity
    """
  ),
  service(
    "PushDispatcher",
    """
    Authentication Broker Cryptography Dispatching BelfryJSON NotificationModel NotificationQueue NotificationStore
    ServiceFaults ServiceRuntime Settings Transport lifecycle logging
    """
  ),
  service(
    "EmailDispatcher",
    """
    Broker CatalogueVersions Cryptography Dispatching MailReports NetworkAddresses NotificationModel NotificationQueue
    NotificationStore ServiceFaults ServiceRuntime Settings Transport WallClock lifecycle logging
    """
  ),
  service(
    "InAppDispatcher",
    """
    Authentication Broker CatalogueVersions BelfryJSON NotificationModel NotificationQueue NotificationStore Retrying ServiceRuntime Settings
    SignalRProtocol deque lifecycle logging metrics nio nioHTTP1 nioPosix nioWebSocket tracing
    UserIdentity
    """
  ),
  service(
    "OperatorCLI",
    """
    Authentication Broker ConsoleCommands Cryptography BelfryJSON NotificationModel NotificationQueue NotificationStore Postgres Rules
    Settings TerminalText UserIdentity argumentParser logging
    """
  ),
]

let product: [Target] = [
  program(
    "belfry",
    at: "Services/Belfry",
    "ConsoleCommands EmailDispatcher Gateway InAppDispatcher OperatorCLI PushDispatcher Router"
  )
]

let development: [Target] = [
  // Files of the repository that are inside `belfry-dev` besides.
  .target(name: "CWorkshopFiles", dependencies: ["CEmbedded"], path: "Services/Workshop/CWorkshopFiles"),
  // The same stack as compose.yaml, as plain processes.
  module("LocalStack", at: "Services/Workshop/LocalStack", "CWorkshopFiles Cryptography Embedded logging"),
  // What the simulator's page and `belfry-dev run` say to each other.
  module("DevelopmentControl", at: "Services/Workshop/DevelopmentControl", "BelfryJSON nio nioPosix"),
  module(
    "Simulator",
    at: "Services/Workshop/Simulator/Sources",
    """
    CWorkshopFiles Cryptography DevelopmentControl Embedded BelfryJSON ServiceRuntime Settings TLS httpTypes hummingbird
    lifecycle logging nio nioHTTP1 nioHPACK nioHTTP2 nioPosix nioTLS nioWebSocket
    """
  ),
  module(
    "Workshop",
    at: "Services/Workshop/Sources",
    """
    Authentication Broker ConsoleCommands DevelopmentControl BelfryJSON LocalStack NotificationModel NotificationQueue
    NotificationStore Postgres Rules Settings Transport UserIdentity WallClock argumentParser logging
    """
  ),
  program("belfry-dev", at: "Services/Workshop/Main", "ConsoleCommands Simulator Workshop"),
]

let samples =
  "ABCBudgetingSample AllowanceTrackerPushSample AllowanceTrackerRealtimeSample LifeSignalSample MessageAISample"

/// What an app of one of the specifications has to change.
func sample(_ folder: String, _ imports: String = "") -> Target {
  module("\(folder)Sample", at: "docs/samples/specifications/\(folder)", "AppleDeclarations BelfryClient \(imports)")
}

let checks: [Target] = [
  tests("CryptographyTests", "Cryptography TestSupport", exclude: ["Wycheproof", "judge.py"]),
  tests("LocalStackTests", "BenchmarkComparison BelfryJSON LocalStack"),
  tests("EmbeddedTests", "CEmbedded CWorkshopFiles Embedded TestSupport"),
  tests("PostgresTests", "LocalStack Postgres TestSupport lifecycle"),
  tests(
    "BrokerTests",
    "Broker CRabbitMQ DriverExecutor LocalStack TestSupport inMemoryTracing logging metrics metricsTestKit tracing"
  ),
  tests(
    "TransportTests",
    "Cryptography LocalStack NetworkAddresses TestSupport Transport logging",
    exclude: ["Support/dns_server.py", "Support/h2_server.py", "Support/smtp_server.py"]
  ),
  tests("MailReportsTests", "BelfryJSON MailReports TestSupport", exclude: ["Postfix", "bounce_judge.py"]),
  tests("AuthenticationTests", "Authentication Cryptography TestSupport UserIdentity"),
  tests("BelfrySenderTests", "BelfrySender NotificationModel TestSupport"),
  tests("BelfryJSONTests", "BelfryJSON"),
  tests("SignalRProtocolTests", "BelfryJSON SignalRProtocol TestSupport"),
  tests("BelfryClientTests", "BelfryClient BelfryClientTesting BelfryJSON"),
  // What the samples for apps name of UIKit and UserNotifications, which Linux does not have.
  module("AppleDeclarations", at: "Tests/AppleDeclarations", "", exclude: ["SwiftUI"]),
  module("SwiftUIDeclarations", at: "Tests/AppleDeclarations/SwiftUI", "AppleDeclarations"),
  // The client's files for Apple's frameworks (a link to Shared/BelfryClient/Push/Apple), against these declarations.
  .target(
    name: "AppleFiles",
    dependencies: serverModules("AppleDeclarations BelfryClient"),
    path: "Tests/AppleFiles",
    swiftSettings: settings + [.define("BELFRY_APPLE_DECLARATIONS")]
  ),
  module(
    "NotificationServiceSample",
    at: "docs/samples/notification-service",
    "AppleDeclarations BelfryClient",
    exclude: ["README.md"]
  ),
  tests("AppleFilesTests", "AppleDeclarations AppleFiles BelfryClient NotificationServiceSample"),
  // By another name, for where a module SwiftUI can be imported the client has what only Apple's platforms have.
  .target(
    name: "AppSample",
    dependencies: serverModules("AppleDeclarations AppleFiles BelfryClient BelfryClientTesting SwiftUIDeclarations"),
    path: "docs/samples/app",
    exclude: ["README.md"],
    swiftSettings: settings + [.unsafeFlags(["-module-alias", "SwiftUI=SwiftUIDeclarations"])]
  ),
  tests("AppSampleTests", "AppSample BelfryClient BelfryClientTesting"),
  sample("ABCBudgeting", "openCombine"),
  sample("AllowanceTrackerPush"),
  sample("AllowanceTrackerRealtime", "openCombine"),
  sample("LifeSignal"),
  sample("MessageAI"),
  tests("SpecificationSampleTests", "AppleDeclarations BelfryClient openCombine \(samples)"),
  tests(
    "InAppDispatcherTests",
    """
    Authentication Broker CatalogueVersions Gateway InAppDispatcher BelfryJSON NotificationModel NotificationQueue NotificationStore Postgres
    Retrying ServiceRuntime Settings SignalRProtocol TestSupport WallClock httpTypes hummingbird inMemoryTracing logging metrics
    UserIdentity metricsTestKit nio nioEmbedded nioPosix tracing
    """
  ),
  tests("DevelopmentControlTests", "DevelopmentControl"),
  tests(
    "SimulatorTests",
    """
    Authentication Cryptography DevelopmentControl BelfryJSON Simulator TLS httpTypes hummingbird nio nioEmbedded nioHPACK nioHTTP2 nioTLS
    """
  ),
  tests("WallClockTests", "TestSupport WallClock", exclude: ["zoneinfo_cases.py"]),
  tests("RecurrenceTests", "Recurrence TestSupport WallClock", exclude: ["dateutil_cases.py"]),
  tests("RulesTests", "BelfryJSON Rules TestSupport UserIdentity WallClock yams"),
  tests(
    "NotificationModelTests",
    "Embedded BelfryJSON NotificationModel Recurrence Rules TestSupport UserIdentity WallClock",
    exclude: ["Support/schema_judge.py"]
  ),
  tests(
    "NotificationQueueTests",
    "Broker BelfryJSON NotificationModel NotificationQueue Rules Settings TestSupport WallClock"
  ),
  tests("SettingsTests", "Authentication Broker Postgres ServiceRuntime Settings"),
  tests("RetryingTests", "Retrying"),
  tests(
    "CatalogueVersionsTests",
    "CatalogueVersions NotificationModel NotificationStore TestSupport lifecycle logging"
  ),
  tests("TerminalTextTests", "TerminalText"),
  tests("ServiceRuntimeTests", "ServiceRuntime TestSupport hummingbird lifecycle logging nio"),
  tests(
    "RouterTests",
    """
    Broker CatalogueVersions BelfryJSON NotificationModel NotificationQueue NotificationStore ServiceFaults Postgres Recurrence Retrying Router
    Rules ServiceRuntime TestSupport WallClock lifecycle logging metrics metricsTestKit
    UserIdentity
    """
  ),
  tests(
    "DispatchingTests",
    """
    Broker Dispatching NotificationModel NotificationQueue NotificationStore ServiceFaults Postgres TestSupport
    inMemoryTracing lifecycle metrics metricsTestKit tracing
    """
  ),
  tests(
    "PushDispatcherTests",
    """
    Authentication Broker Cryptography Dispatching BelfryJSON LocalStack NotificationModel NotificationQueue NotificationStore
    PushDispatcher Settings TestSupport Transport lifecycle logging
    """,
    exclude: ["Support/apns_server.py", "Support/push_service.py", "firebase_judge.py", "webpush_judge.py"]
  ),
  tests(
    "EmailDispatcherTests",
    """
    Broker Cryptography Dispatching EmailDispatcher LocalStack NotificationModel NotificationQueue NotificationStore Settings
    TestSupport Transport lifecycle
    """,
    exclude: ["Support/moody_server.py", "dkim_judge.py", "mail_looks.py"]
  ),
  tests(
    "GatewayTests",
    """
    Authentication BelfryClient BelfryClientTesting Broker CatalogueVersions Cryptography Embedded Gateway BelfryJSON LocalStack NotificationModel NotificationQueue
    NotificationStore Postgres Recurrence SeedModels ServiceRuntime Settings TestSupport WallClock httpTypes hummingbird inMemoryTracing
    lifecycle logging metrics metricsTestKit nio nioEmbedded tracing yams
    UserIdentity
    """,
    exclude: ["unsubscribe_looks.py"]
  ),
  // What the clients of the systems that Belfry replaces send and read.
  module("SeedModels", at: "Tests/SeedModels", ""),
  tests(
    "OperatorCLITests",
    """
    Authentication Broker ConsoleCommands Cryptography BelfryJSON NotificationModel NotificationQueue NotificationStore OperatorCLI Rules
    Settings
    TestSupport WallClock argumentParser
    """
  ),
  tests(
    "WorkshopTests",
    "ConsoleCommands BelfryJSON LocalStack NotificationModel OperatorCLI Rules TestSupport WallClock Workshop argumentParser"
  ),
  tests("ConsoleCommandsTests", "Authentication ConsoleCommands BelfryJSON Settings Transport argumentParser"),
  module(
    "TestSupport",
    at: "Tests/TestSupport",
    """
    Broker CatalogueVersions ConsoleCommands DriverExecutor BelfryJSON LocalStack NotificationModel NotificationQueue
    NotificationStore Postgres argumentParser logging nio nioHTTP1 nioPosix
    """
  ),
  tests(
    "NotificationStoreTests",
    "BelfryJSON NotificationModel NotificationStore Postgres Rules TestSupport UserIdentity WallClock"
  ),
  tests(
    "DocumentationTests",
    """
    EmailDispatcher Gateway InAppDispatcher BelfryJSON LocalStack NotificationModel NotificationQueue PushDispatcher Router
    Rules ServiceRuntime Settings Simulator TestSupport WallClock
    """,
    exclude: ["Kubernetes"]
  ),
  tests(
    "EndToEndTests",
    """
    AppleDeclarations Authentication BelfryClient BelfrySender Cryptography LocalStack NotificationModel NotificationQueue Postgres SeedModels TestSupport
    Transport UserIdentity logging openCombine \(samples)
    """
  ),
]

let benchmarks: [Target] = [
  // What two builds are compared by: pure, so that it can be tested without the benchmark.
  module("BenchmarkComparison", at: "Tests/BenchmarkComparison", "BelfryJSON"),
  .systemLibrary(name: "CEpoll", path: "Tests/CEpoll"),
  program(
    "belfry-bench",
    at: "Tests/Benchmarks",
    """
    Authentication BenchmarkComparison Broker CCurl CEpoll COpenSSL CRabbitMQ Cryptography BelfryJSON LocalStack NotificationModel
    NotificationQueue NotificationStore Postgres Transport UserIdentity argumentParser histogram logging
    """
  ),
]

// MARK: The package

let clientProducts: [Product] = [
  .library(name: "BelfryClient", targets: ["BelfryClient"]),
  .library(name: "BelfryClientTesting", targets: ["BelfryClientTesting"]),
  .library(name: "BelfrySender", targets: ["BelfrySender"]),
]

let serverProducts: [Product] = [
  .executable(name: "belfry", targets: ["belfry"]),
  .executable(name: "belfry-dev", targets: ["belfry-dev"]),
]

let packages: [Package.Dependency] = [
  .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
  .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
  .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
  .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
  .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
  .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
  .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
  .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
  .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
  .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
  .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
  .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
  .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
  .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
  .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
]

let package = Package(
  name: "belfry",
  platforms: [.iOS(.v17), .macOS(.v14)],
  products: clientProducts + (isFetched ? [] : serverProducts),
  traits: [.trait(name: server, description: "Fetches and builds what Belfry's servers need, too.")],
  dependencies: isFetched ? [] : packages,
  targets: clients
    + (isFetched ? [] : drivers + domain + services + product + development + checks + benchmarks)
)
