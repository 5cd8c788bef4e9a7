import Testing

@testable import Simulator

/// What a mail says to people.
@Suite struct MailContentTests {
  private func content(_ lines: [String]) -> MailContent {
    MailContent(Array(lines.joined(separator: "\r\n").utf8))
  }

  @Test func `text and HTML of alternatives are found and decoded`() {
    let mail = content([
      "Subject: x", "Content-Type: multipart/alternative;", " boundary=\"=_b\"", "", "preamble", "--=_b",
      "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: quoted-printable", "",
      "Gr=C3=BC=C3=9Fe, a long =", "line", "--=_b", "Content-Type: text/html", "Content-Transfer-Encoding: base64", "",
      "PHA+SGk8L3A+", "--=_b--", "epilogue",
    ])
    #expect(mail.text == "Grüße, a long line")
    #expect(mail.html == "<p>Hi</p>")
  }

  @Test func `a plain mail has no HTML`() {
    let mail = content(["Subject: x", "", "Hello", ""])
    #expect(mail.text == "Hello\r\n")
    #expect(mail.html == nil)
  }

  @Test func `parts within parts are found, and not for ever`() {
    let inner = [
      "Content-Type: multipart/alternative; boundary=in", "", "--in", "Content-Type: text/html", "", "<b>x</b>",
      "--in--",
    ]
    let mail = content(["Content-Type: multipart/mixed; boundary=out", "", "--out"] + inner + ["--out--"])
    #expect(mail.html == "<b>x</b>")
    var deep = ["", "end"]
    for level in 0..<50 {
      deep = ["Content-Type: multipart/mixed; boundary=b\(level)", "", "--b\(level)"] + deep + ["--b\(level)--"]
    }
    #expect(content(deep) == content(["Content-Type: image/png", "", "x"]))
  }

  @Test(arguments: [
    "", "\r\n", "Content-Type: multipart/mixed\r\n\r\n--x", "Content-Type: multipart/mixed; boundary=x\r\n\r\n--x",
    "Content-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\n!!!", "Content-Type: text/plain\r\n\r\n=",
  ])
  func `what is broken breaks nothing`(_ text: String) {
    #expect(MailContent(Array(text.utf8)).html == nil)
  }
}
