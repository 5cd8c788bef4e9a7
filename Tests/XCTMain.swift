import Testing

/// Where the tests begin. With this file SwiftPM looks for no other kind of test, for which it would need an index of all
/// sources, and the compiler a third of its time.
@main struct TestProgram {
  static func main() async {
    await Testing.__swiftPMEntryPoint() as Never
  }
}
