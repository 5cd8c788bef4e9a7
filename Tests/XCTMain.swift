import Testing

/// Where the tests begin. With this file SwiftPM looks for no tests of the other kind, XCTest's, for which it would need an index of
/// all sources, and the compiler a fifth of its time.
@main struct TestProgram {
  static func main() async {
    // What XCTest's program answers: that it has none.
    guard !CommandLine.arguments.contains("--dump-tests-json") else { return print(#"{"name":"","tests":[]}"#) }
    await Testing.__swiftPMEntryPoint() as Never
  }
}
