// swift-tools-version: 6.2
import PackageDescription

/// An app as others write it: it depends on Belfry's repository, names no trait, and knows nothing of the servers.
///
/// `BELFRY_REPOSITORY` is the address of a clone with the tag `0.1.0`; `make client-test` makes one.
let package = Package(
  name: "app",
  platforms: [.iOS(.v17), .macOS(.v14)],
  dependencies: [
    .package(url: Context.environment["BELFRY_REPOSITORY"] ?? "file:///nowhere/belfry", from: "0.1.0")
  ],
  targets: [
    // Names that modules of the servers have, too.
    .target(name: "Router"),
    .target(name: "Settings"),
    .executableTarget(
      name: "App",
      dependencies: [
        "Router",
        "Settings",
        .product(name: "BelfryClient", package: "belfry"),
        .product(name: "BelfryClientTesting", package: "belfry"),
        .product(name: "BelfrySender", package: "belfry"),
      ]
    ),
  ]
)
