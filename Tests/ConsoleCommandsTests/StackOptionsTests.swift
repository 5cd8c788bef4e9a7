import Testing

@testable import ConsoleCommands

@Suite struct StackOptionsTests {
  @Test func `who has no settings is told where they were looked for, and what says the same`() {
    let none = StackOptions.advice(stack: "/a/belfry.env", settings: nil, instead: "--gateway and --token")
    for words in ["there is no /a/belfry.env", "--data-dir", "belfry-dev run", "--gateway and --token"] {
      #expect(none.contains(words), "\(words)")
    }
    let read = StackOptions.advice(stack: "/a/belfry.env", settings: "/a/belfry.env", instead: nil)
    #expect(read.contains("looked for in /a/belfry.env") && !read.contains("BELFRY_CONFIG_FILE"))
    let named = StackOptions.advice(stack: "/a/belfry.env", settings: "/b.env", instead: nil)
    #expect(named.contains("looked for in /b.env") && named.contains("BELFRY_CONFIG_FILE is not set"))
  }
}
