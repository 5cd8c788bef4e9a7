import Testing

@testable import Postgres

@Suite struct SQLStatementTests {
  private func read(_ text: String, _ constants: [String: String] = [:]) throws -> SQLStatement {
    try SQLStatement(reading: text, name: "a.sql", constants: constants)
  }

  @Test func `parameters are numbered as they first appear, and one that is repeated keeps its number`() throws {
    let statement = try read("SELECT $user, $count FROM t WHERE a = $count AND b = $user2 OR c=$user")
    #expect(statement.sql == "SELECT $1, $2 FROM t WHERE a = $2 AND b = $3 OR c=$1")
    #expect(statement.parameters == ["user", "count", "user2"])
  }

  @Test(arguments: [
    ("$ids::int4[]", "$1::int4[]"), ("($ids::int4[])[1]", "($1::int4[])[1]"), ("-$ids::int2", "-$1::int2"),
    ("$ids,1", "$1,1"), ("$ids", "$1"),
  ])
  func `what follows a name stays`(text: String, sql: String) throws {
    let statement = try read(text)
    #expect(statement.sql == sql)
    #expect(statement.parameters == ["ids"])
  }

  @Test(arguments: [
    "'$a {b} -- /*'", "'it''s $a'", #""$a {b}""#, "$$ $a {b} ' $$", "$x$ $$ $a $x$", "price$a", "t1$a", "'{}'",
    "1 - -1",
  ])
  func `what is quoted, and a name with a dollar, stays`(text: String) throws {
    let statement = try read("\(text) = $c")
    #expect(statement.sql == "\(text) = $1")
    #expect(statement.parameters == ["c"])
  }

  @Test func `comments are left out, with their lines if those have nothing else`() throws {
    let text = """
      -- Why it's so: $a {b}

      SELECT 1 -- $a
        -- 'more
      , 2/* {b} /* $a */ ' */FROM t
      -- The end.
      """
    let statement = try read(text)
    #expect(statement.sql == "\nSELECT 1\n, 2 FROM t")
    #expect(statement.parameters.isEmpty)
  }

  @Test func `constants are put in as they are`() throws {
    let statement = try read("a IN {kept} AND b = {code} OR {code} = '{code}'", ["kept": "(1, 2)", "code": "{kept}$x"])
    #expect(statement.sql == "a IN (1, 2) AND b = {kept}$x OR {kept}$x = '{code}'")
    #expect(statement.parameters.isEmpty)
  }

  @Test(arguments: [
    ("SELECT {b}", SQLStatementFault.unknownConstant("b")), ("SELECT '{a}'", .unusedConstants(["a"])),
    ("{a} $1", .unnamedParameter), ("{a} $ 1", .unnamedParameter), ("{a} $", .unnamedParameter),
    ("{a} {b", .unclosed("{")),
    ("{a} 'b", .unclosed("'")), (#"{a} "b'"#, .unclosed(#"""#)), ("{a} /* /* */", .unclosed("/*")),
    ("{a} $$ $x$", .unclosed("$$")), ("{a} $b$ $$", .unclosed("$b$")),
  ])
  func `what cannot be read is refused`(text: String, fault: SQLStatementFault) throws {
    #expect(throws: fault) { try read(text, ["a": "1"]) }
  }

  @Test func `values are bound in the order of the numbers`() throws {
    let query = try read("SELECT $name, $count, $name").query {
      $0.bind("name", "Ann")
      $0.bind("count", Int?.none)
    }
    let same: SQLQuery = "SELECT \("Ann"), \(Int?.none), "
    #expect(query.sql == "SELECT $1, $2, $1")
    #expect(query.bindings.types == same.bindings.types)
    #expect(query.bindings.lengths == same.bindings.lengths)
    #expect(query.bindings.bytes == same.bindings.bytes)
  }

  @Test func `a name out of its turn is refused`() throws {
    let statement = try read("SELECT $a, $b")
    #expect(statement.fault(binding: "a", after: 0) == nil)
    #expect(statement.fault(binding: "b", after: 1) == nil)
    #expect(statement.fault(binding: "b", after: 0) == "a.sql: $a comes before $b")
    #expect(statement.fault(binding: "a", after: 1) == "a.sql: $a is bound twice")
    #expect(statement.fault(binding: "b", after: 2) == "a.sql: $b is bound twice")
    #expect(statement.fault(binding: "c", after: 0) == "a.sql: there is no $c")
  }
}
