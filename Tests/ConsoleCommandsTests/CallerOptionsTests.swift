import Testing
import Transport

@testable import ConsoleCommands

/// Commands that are named to be copied.
struct CallerOptionsTests {
  private let asked = CallerOptions(
    ["belfry", "send", "--gateway", "http://g:1", "--token=a b", "--data-dir", "/tmp/o'clock", "--page", "http://p"],
    showsSecrets: true
  )

  @Test func `each has the options that it takes, of those that were given`() {
    #expect(
      asked.gateway("belfry keys list")
        == #"belfry keys list --gateway http://g:1 --token 'a b' --data-dir '/tmp/o'\''clock'"#
    )
    #expect(asked.stack("belfry token --role admin") == #"belfry token --role admin --data-dir '/tmp/o'\''clock'"#)
    #expect(
      asked.page("belfry-dev demo trace") == #"belfry-dev demo trace --page http://p --data-dir '/tmp/o'\''clock'"#
    )
    let none = CallerOptions(["belfry", "send", "--title", "x"], showsSecrets: true)
    #expect(none.gateway("belfry keys list") == "belfry keys list")
  }

  @Test func `of an option that is given twice the last counts, and what follows two dashes is none`() {
    let options = CallerOptions(["--gateway=a", "--gateway", "b", "--", "--gateway", "c"], showsSecrets: true)
    #expect(options.gateway("x") == "x --gateway b")
  }

  @Test func `where it may land in a file, no secret is shown`() {
    let options = CallerOptions(["--gateway", "https://ops:secret@g/", "--token", "secret"], showsSecrets: false)
    #expect(options.gateway("x") == "x --gateway https://g/ --token …")
    let shown = CallerOptions(["--gateway", "https://ops:secret@g/", "--token", "secret"], showsSecrets: true)
    #expect(shown.gateway("x") == "x --gateway https://ops:secret@g/ --token secret")
  }

  @Test(arguments: [
    ("family:1", "family:1"), ("", "''"), ("a b", "'a b'"), ("$(x)", "'$(x)'"), ("it's", #"'it'\''s'"#), ("é", "'é'"),
  ])
  func `an argument is quoted where a shell would read anything else into it`(_ argument: String, _ quoted: String) {
    #expect(CallerOptions.quoted(argument) == quoted)
  }

  private func refusal(_ status: Int, _ call: String) -> String {
    CallerOptions.$current.withValue(asked) {
      GatewayRefusal(call: call, status: status, body: #"{"title":"No","detail":"catalogue"}"#).description
    }
  }

  @Test func `what a refusal advises can be copied`() {
    let folder = #"--data-dir '/tmp/o'\''clock'`"#
    let gateway = "--gateway http://g:1 --token 'a b' " + folder
    for (status, call, command) in [
      (400, "POST /api/v1/notifications", "`belfry types \(gateway)"),
      (401, "POST /api/v1/notifications", "`belfry token --role service \(folder)"),
      (403, "GET /api/v1/admin/audit?limit=1", "`belfry token --role admin \(folder)"),
      (404, "GET /api/v1/users/6f1c?x=1", "`belfry users set 6f1c \(gateway)"),
      (404, "GET /api/v1/groups/a%20b%3A1/members?limit=2", "`belfry groups put 'a b:1' \(gateway)"),
      (404, "GET /api/v1/schedules/x", "`belfry schedules list \(gateway)"),
      (404, "DELETE /api/v1/admin/api-keys/1", "`belfry keys list \(gateway)"),
    ] {
      let words = refusal(status, call)
      #expect(words.contains(command), "\(words)")
    }
  }

  @Test func `who finds no stack is told how to start one where it was looked for`() {
    let words = CallerOptions.$current.withValue(CallerOptions(["--data-dir", "/a"], showsSecrets: false)) {
      [
        StackOptions.advice(stack: "/a/belfry.env", settings: nil, instead: nil),
        CommandFailure(asking: "http://g", saidBy: "x", failed: .cannotConnect, "no").description,
      ]
    }
    for words in words { #expect(words.contains("`belfry-dev run --data-dir /a`"), "\(words)") }
  }
}
