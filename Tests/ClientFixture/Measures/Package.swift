// swift-tools-version: 6.2
import PackageDescription

/// Programs that measure the client as an app has it; `make client-test` builds and runs them. `BELFRY_REPOSITORY` is as for `App`.
let package = Package(
  name: "measures",
  platforms: [.iOS(.v17), .macOS(.v14)],
  dependencies: [
    .package(url: Context.environment["BELFRY_REPOSITORY"] ?? "file:///nowhere/belfry", from: "0.1.0")
  ],
  targets: [
    // A gateway and its hub in this process, of public declarations alone.
    .target(name: "Gateway", dependencies: [.product(name: "BelfryClient", package: "belfry")]),
    // Memory of ten thousand notifications.
    .executableTarget(name: "Footprint", dependencies: ["Gateway"]),
    // What arrivals cost the main actor.
    .executableTarget(name: "Turns", dependencies: ["Gateway"]),
    // Many tasks at once, for the thread sanitizer.
    .executableTarget(name: "Races", dependencies: ["Gateway"]),
    // The same app without the client, and with it.
    .executableTarget(name: "Bare"),
    .executableTarget(name: "Full", dependencies: [.product(name: "BelfryClient", package: "belfry")]),
  ]
)
