// swift-tools-version: 6.2
import PackageDescription

/// Every target of Belfry: Swift 6 mode, explicit existentials and imports, and no warning goes unnoticed.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

// MARK: Libraries of others

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let configuration = Target.Dependency.product(name: "Configuration", package: "swift-configuration")
let deque = Target.Dependency.product(name: "DequeModule", package: "swift-collections")
let histogram = Target.Dependency.product(name: "Histogram", package: "hdrhistogram-swift")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let inMemoryTracing = Target.Dependency.product(name: "InMemoryTracing", package: "swift-distributed-tracing")
let lifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let metrics = Target.Dependency.product(name: "Metrics", package: "swift-metrics")
let metricsTestKit = Target.Dependency.product(name: "MetricsTestKit", package: "swift-metrics")
let mustache = Target.Dependency.product(name: "Mustache", package: "swift-mustache")
let nio = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioHPACK = Target.Dependency.product(name: "NIOHPACK", package: "swift-nio-http2")
let nioHTTP2 = Target.Dependency.product(name: "NIOHTTP2", package: "swift-nio-http2")
let nioHTTPTypes = Target.Dependency.product(name: "NIOHTTPTypes", package: "swift-nio-extras")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioTLS = Target.Dependency.product(name: "NIOTLS", package: "swift-nio")
let nioWebSocket = Target.Dependency.product(name: "NIOWebSocket", package: "swift-nio")
let tracing = Target.Dependency.product(name: "Tracing", package: "swift-distributed-tracing")
let unixSignals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")

// MARK: Shapes of targets

/// - Parameter exclude: What lies beside the sources and is built in by CEmbedded.
func shared(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
  .target(
    name: name,
    dependencies: dependencies,
    path: "Shared/\(name)",
    exclude: exclude,
    swiftSettings: settings
  )
}

func cLibrary(_ name: String, pkgConfig: String, apt: String) -> Target {
  .systemLibrary(name: name, path: "Shared/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt])])
}

/// A service is a library, which `belfry` runs when it is called by the service's name.
func service(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, path: "Services/\(name)/Sources", swiftSettings: settings)
}

/// A part of `belfry-dev`, which is never installed.
///
/// - Parameter path: Of its sources in the workshop, where it has more than these.
func workshop(_ name: String, path: String? = nil, _ dependencies: [Target.Dependency]) -> Target {
  .target(
    name: name,
    dependencies: dependencies,
    path: "Services/Workshop/\(path ?? name)",
    swiftSettings: settings
  )
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(
    name: name,
    dependencies: dependencies,
    path: "Tests/\(name)",
    exclude: exclude,
    swiftSettings: settings
  )
}

// MARK: Targets, in the order of their dependencies

let drivers: [Target] = [
  cLibrary("CPostgreSQL", pkgConfig: "libpq", apt: "libpq-dev"),
  cLibrary("CRabbitMQ", pkgConfig: "librabbitmq", apt: "librabbitmq-dev"),
  cLibrary("CCurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev"),
  cLibrary("CNGHTTP2", pkgConfig: "libnghttp2", apt: "libnghttp2-dev"),
  cLibrary("COpenSSL", pkgConfig: "openssl", apt: "libssl-dev"),
  shared("Cryptography", ["COpenSSL"]),
  shared("TLS", ["COpenSSL", "Cryptography"]),
  shared("TerminalText"),
  shared("DriverExecutor"),
  shared("Retrying", [lifecycle]),
  shared("Settings", [configuration]),
  shared("Postgres", ["CPostgreSQL", "DriverExecutor", "Retrying", "Settings", deque, lifecycle, logging]),
  shared(
    "Broker",
    ["CRabbitMQ", "DriverExecutor", "Retrying", "Settings", deque, lifecycle, logging, metrics, tracing]
  ),
  shared(
    "Transport",
    [
      "CCurl", "CNGHTTP2", "DriverExecutor", "Retrying", "TLS", deque, lifecycle, logging,
    ]
  ),
]

let domain: [Target] = [
  // Files of the repository that are inside both programs.
  .target(name: "CEmbedded", path: "Shared/CEmbedded", exclude: ["make"]),
  shared("Embedded", ["CEmbedded"]),
  shared("JSON"),
  shared("Obstacles", ["Broker", "Postgres", logging]),
  shared("WallClock"),
  shared("Recurrence", ["WallClock"]),
  shared("Rules", ["JSON", "WallClock"]),
  shared(
    "NotificationModel",
    ["Cryptography", "Embedded", "JSON", "Recurrence", "Rules", "WallClock", mustache, yams],
    exclude: ["catalogue.schema.json", "catalogue.yaml"]
  ),
  shared(
    "NotificationQueue",
    ["Broker", "JSON", "NotificationModel", "Rules", "Settings", "TerminalText", "WallClock", logging]
  ),
  shared(
    "NotificationStore",
    ["Embedded", "JSON", "NotificationModel", "Postgres", "Rules", "WallClock", logging],
    exclude: ["Migrations"]
  ),
  shared(
    "Dispatching",
    [
      "Broker", "NotificationModel", "NotificationQueue", "NotificationStore", "Obstacles", "Postgres", "Retrying",
      deque, lifecycle, logging, metrics, tracing,
    ]
  ),
  shared("Authentication", ["Cryptography", "JSON", "Settings"]),
  shared("SignalRProtocol", ["JSON"]),
  // What the commands of both programs have in common.
  shared(
    "ConsoleCommands",
    [
      "Authentication", "Broker", "JSON", "Postgres", "Settings", "TerminalText", "Transport", argumentParser, logging,
    ]
  ),
  shared(
    "ServiceRuntime",
    [
      "Broker", "JSON", "Postgres", "Retrying", "Settings", "TerminalText", hummingbird, lifecycle, logging, nio,
      nioHTTPTypes, nioPosix, unixSignals,
    ]
  ),
]

let services: [Target] = [
  service(
    "Gateway",
    [
      "Authentication", "Broker", "Cryptography", "Embedded", "JSON", "NotificationModel", "NotificationQueue",
      "NotificationStore", "Postgres", "Recurrence", "Rules", "ServiceRuntime", "Settings", "WallClock", httpTypes,
      hummingbird, lifecycle, logging, metrics, nio, tracing,
    ]
  ),
  service(
    "Router",
    [
      "Broker", "Cryptography", "JSON", "NotificationModel", "NotificationQueue", "NotificationStore", "Obstacles",
      "Recurrence", "Retrying", "Rules", "ServiceRuntime", "Settings", "WallClock", lifecycle, logging, metrics,
    ]
  ),
  service(
    "PushDispatcher",
    [
      "Authentication", "Broker", "Cryptography", "Dispatching", "JSON", "NotificationModel", "NotificationQueue",
      "NotificationStore", "Obstacles", "ServiceRuntime", "Settings", "Transport", lifecycle, logging,
    ]
  ),
  service(
    "EmailDispatcher",
    [
      "Broker", "Dispatching", "NotificationModel", "NotificationQueue", "NotificationStore", "Obstacles",
      "ServiceRuntime", "Settings", "Transport", lifecycle, logging,
    ]
  ),
  service(
    "InAppDispatcher",
    [
      "Authentication", "Broker", "JSON", "NotificationModel", "NotificationQueue", "NotificationStore", "Retrying",
      "ServiceRuntime", "Settings", "SignalRProtocol", deque, lifecycle, logging, metrics, nio, nioHTTP1, nioPosix,
      nioWebSocket, tracing,
    ]
  ),
  service(
    "OperatorCLI",
    [
      "Authentication", "Broker", "ConsoleCommands", "JSON", "NotificationModel", "NotificationQueue",
      "NotificationStore", "Postgres", "Rules", "Settings", "TerminalText", argumentParser, logging,
    ]
  ),
]

let product: [Target] = [
  .executableTarget(
    name: "belfry",
    dependencies: [
      "ConsoleCommands", "EmailDispatcher", "Gateway", "InAppDispatcher", "OperatorCLI", "PushDispatcher", "Router",
    ],
    path: "Services/Belfry",
    swiftSettings: settings
  )
]

let development: [Target] = [
  // Files of the repository that are inside `belfry-dev` besides.
  .target(name: "CWorkshopFiles", dependencies: ["CEmbedded"], path: "Services/Workshop/CWorkshopFiles"),
  // The same stack as compose.yaml, as plain processes.
  workshop("LocalStack", ["CWorkshopFiles", "Embedded", logging]),
  // What the simulator's page and `belfry-dev run` say to each other.
  workshop("DevelopmentControl", ["JSON", nio, nioPosix]),
  workshop(
    "Simulator",
    path: "Simulator/Sources",
    [
      "CWorkshopFiles", "Cryptography", "DevelopmentControl", "Embedded", "JSON", "ServiceRuntime", "Settings", "TLS",
      httpTypes, hummingbird, lifecycle, logging, nio, nioHTTP1, nioHPACK, nioHTTP2, nioPosix, nioTLS,
    ]
  ),
  workshop(
    "Workshop",
    path: "Sources",
    [
      "Authentication", "Broker", "ConsoleCommands", "DevelopmentControl", "JSON", "LocalStack", "NotificationModel",
      "NotificationQueue", "NotificationStore", "Postgres", "Settings", "Transport", "WallClock", argumentParser,
      logging,
    ]
  ),
  .executableTarget(
    name: "belfry-dev",
    dependencies: ["ConsoleCommands", "Simulator", "Workshop"],
    path: "Services/Workshop/Main",
    swiftSettings: settings
  ),
]

let checks: [Target] = [
  tests(
    "CryptographyTests",
    ["Cryptography", "TestSupport"],
    exclude: ["Wycheproof", "judge.py"]
  ),
  tests("LocalStackTests", ["BenchmarkComparison", "JSON", "LocalStack"]),
  tests("EmbeddedTests", ["CEmbedded", "CWorkshopFiles", "Embedded", "TestSupport"]),
  tests("PostgresTests", ["LocalStack", "Postgres", "TestSupport", lifecycle]),
  tests(
    "BrokerTests",
    [
      "Broker", "CRabbitMQ", "DriverExecutor", "LocalStack", "TestSupport", inMemoryTracing, logging, metrics,
      metricsTestKit, tracing,
    ]
  ),
  tests(
    "TransportTests",
    ["LocalStack", "TestSupport", "Transport", logging],
    exclude: ["Support/h2_server.py", "Support/smtp_server.py"]
  ),
  tests("AuthenticationTests", ["Authentication", "Cryptography", "TestSupport"]),
  tests("JSONTests", ["JSON"]),
  tests("SignalRProtocolTests", ["JSON", "SignalRProtocol", "TestSupport"]),
  tests(
    "InAppDispatcherTests",
    [
      "Authentication", "Broker", "Gateway", "InAppDispatcher", "JSON", "NotificationModel", "NotificationQueue",
      "NotificationStore", "Postgres", "ServiceRuntime", "Settings", "SignalRProtocol", "TestSupport", "WallClock",
      httpTypes, hummingbird, inMemoryTracing, logging, metrics, metricsTestKit, nio, nioEmbedded, nioPosix, tracing,
    ]
  ),
  tests("DevelopmentControlTests", ["DevelopmentControl"]),
  tests(
    "SimulatorTests",
    [
      "Cryptography", "DevelopmentControl", "JSON", "Simulator", "TLS", httpTypes, hummingbird, nio, nioEmbedded,
      nioTLS,
    ]
  ),
  tests("WallClockTests", ["TestSupport", "WallClock"], exclude: ["zoneinfo_cases.py"]),
  tests("RecurrenceTests", ["Recurrence", "TestSupport", "WallClock"], exclude: ["dateutil_cases.py"]),
  tests("RulesTests", ["JSON", "Rules", "TestSupport", "WallClock", yams]),
  tests(
    "NotificationModelTests",
    ["Embedded", "JSON", "NotificationModel", "Recurrence", "Rules", "TestSupport", "WallClock"],
    exclude: ["Support/schema_judge.py"]
  ),
  tests(
    "NotificationQueueTests",
    ["Broker", "JSON", "NotificationModel", "NotificationQueue", "Rules", "Settings", "TestSupport", "WallClock"]
  ),
  tests("SettingsTests", ["Authentication", "Broker", "Postgres", "ServiceRuntime", "Settings"]),
  tests("RetryingTests", ["Retrying"]),
  tests("TerminalTextTests", ["TerminalText"]),
  tests("ServiceRuntimeTests", ["ServiceRuntime", "TestSupport", hummingbird, lifecycle, logging, nio]),
  tests(
    "RouterTests",
    [
      "Broker", "JSON", "NotificationModel", "NotificationQueue", "NotificationStore", "Obstacles", "Postgres",
      "Recurrence", "Retrying", "Router", "Rules", "ServiceRuntime", "TestSupport", "WallClock", logging, metrics,
      metricsTestKit,
    ]
  ),
  tests(
    "DispatchingTests",
    [
      "Broker", "Dispatching", "NotificationModel", "NotificationQueue", "NotificationStore", "Obstacles", "Postgres",
      "TestSupport", inMemoryTracing, lifecycle, metrics, metricsTestKit, tracing,
    ]
  ),
  tests(
    "PushDispatcherTests",
    [
      "Broker", "Cryptography", "Dispatching", "JSON", "NotificationModel", "NotificationQueue", "NotificationStore",
      "PushDispatcher", "Settings", "TestSupport", "Transport", logging,
    ]
  ),
  tests(
    "EmailDispatcherTests",
    [
      "Dispatching", "EmailDispatcher", "NotificationModel", "NotificationQueue", "Settings", "TestSupport",
      "Transport",
    ]
  ),
  tests(
    "GatewayTests",
    [
      "Authentication", "Broker", "Embedded", "Gateway", "JSON", "LocalStack", "NotificationModel",
      "NotificationQueue", "NotificationStore", "Postgres", "Recurrence", "SeedModels", "ServiceRuntime", "Settings",
      "TestSupport", "WallClock", httpTypes, hummingbird, inMemoryTracing, lifecycle, logging, metrics,
      metricsTestKit, nio, nioEmbedded, tracing, yams,
    ]
  ),
  // What the clients of the systems that Belfry replaces send and read.
  .target(name: "SeedModels", path: "Tests/SeedModels", swiftSettings: settings),
  tests(
    "OperatorCLITests",
    [
      "Authentication", "Broker", "ConsoleCommands", "JSON", "NotificationModel", "NotificationQueue", "OperatorCLI",
      "Rules", "Settings", "TestSupport", argumentParser,
    ]
  ),
  tests(
    "WorkshopTests",
    [
      "ConsoleCommands", "JSON", "LocalStack", "NotificationModel", "OperatorCLI", "TestSupport", "WallClock",
      "Workshop", argumentParser,
    ]
  ),
  tests(
    "ConsoleCommandsTests",
    ["Authentication", "ConsoleCommands", "JSON", "Settings", "Transport"]
  ),
  .target(
    name: "TestSupport",
    dependencies: [
      "Broker", "ConsoleCommands", "DriverExecutor", "JSON", "LocalStack", "NotificationModel", "NotificationQueue",
      "NotificationStore", "Postgres", argumentParser, logging, nio, nioHTTP1, nioPosix,
    ],
    path: "Tests/TestSupport",
    swiftSettings: settings
  ),
  tests(
    "NotificationStoreTests",
    ["JSON", "NotificationModel", "NotificationStore", "Postgres", "Rules", "TestSupport", "WallClock"]
  ),
  tests(
    "DocumentationTests",
    [
      "EmailDispatcher", "Gateway", "InAppDispatcher", "JSON", "LocalStack", "NotificationModel", "NotificationQueue",
      "PushDispatcher", "Router", "Rules", "ServiceRuntime", "Settings", "Simulator", "TestSupport", "WallClock",
    ],
    exclude: ["Kubernetes"]
  ),
  tests(
    "EndToEndTests",
    [
      "Authentication", "LocalStack", "NotificationModel", "NotificationQueue", "Postgres", "SeedModels", "TestSupport",
      "Transport", logging,
    ]
  ),
]

let benchmarks: [Target] = [
  // What two builds are compared by: pure, so that it can be tested without the benchmark.
  .target(
    name: "BenchmarkComparison",
    dependencies: ["JSON"],
    path: "Tests/BenchmarkComparison",
    swiftSettings: settings
  ),
  .systemLibrary(name: "CEpoll", path: "Tests/CEpoll"),
  .executableTarget(
    name: "belfry-bench",
    dependencies: [
      "Authentication", "BenchmarkComparison", "Broker", "CCurl", "CEpoll", "CRabbitMQ", "JSON", "LocalStack",
      "NotificationModel", "NotificationQueue", "NotificationStore", "Postgres", "Transport", argumentParser, histogram,
      logging,
    ],
    path: "Tests/Benchmarks",
    swiftSettings: settings
  ),
]

let package = Package(
  name: "belfry",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "belfry", targets: ["belfry"]),
    .executable(name: "belfry-dev", targets: ["belfry-dev"]),
  ],
  dependencies: [
    .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
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
  ],
  targets: drivers + domain + services + product + development + checks + benchmarks
)
