import ConsoleCommands
import Testing

@Suite struct TextTableTests {
  @Test func `a table has columns as wide as they need, numbers on the right, and no blanks at the end`() {
    var table = TextTable([.init(heading: "name"), .init(heading: "n", isNumber: true), .init(heading: "why")])
    table.add(["a\u{1B}[2J", "5", ""])
    table.add(["é", "1234", "because"])
    #expect(table.lines == ["name           n  why", "a\\u{1b}[2J     5", "é           1234  because"])
  }
}
