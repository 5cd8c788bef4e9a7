import Testing

/// Where the tests begin. With this file SwiftPM looks for no tests of the other kind, XCTest's, for which it would need an index of
/// all sources, and the compiler a fifth of its time. `swift test` asks for those all the same unless it is told `--disable-xctest`.
@main struct TestProgram {
  static func main() async {
    guard CommandLine.arguments.contains("swift-testing") else { return print(#"{"name":"","tests":[]}"#) }
    await Testing.__swiftPMEntryPoint() as Never
  }
}
