import Testing

@testable import NotificationModel

/// Values in HTML are escaped by where they stand, and stand nowhere else.
@Suite struct HTMLTemplateTests {
  private static let hostile = #""><script>alert('1')</script>&{{x}}"#
  private static let escaped = "&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;{{x}}"
  private static let encoded = "%22%3E%3Cscript%3Ealert%28%271%27%29%3C%2Fscript%3E%26%7B%7Bx%7D%7D"

  private func render(_ source: String, _ data: [String: String]) throws -> String? {
    try HTMLTemplate(source).render(data, TextFormats(locale: "de-AT", currency: "EUR"))
  }

  @Test(arguments: [
    ("<p>{{x}}</p>", "<p>\(escaped)</p>"), ("<p>{{{x}}}</p>", "<p>\(escaped)</p>"),
    ("<p>{{&x}}</p>", "<p>\(escaped)</p>"), (#"<p title="a {{x}}">b</p>"#, #"<p title="a \#(escaped)">b</p>"#),
    (#"<a href="https://a.example/{{x}}">b</a>"#, #"<a href="https://a.example/\#(encoded)">b</a>"#),
    (#"<a href="https://a.example?q={{x}}#y">b</a>"#, #"<a href="https://a.example?q=\#(encoded)#y">b</a>"#),
    ("<p>{{#x}}1: {{.}}{{/x}}{{^x}}2{{/x}}</p>", "<p>1: \(escaped)</p>"),
    (#"<img src="https://a.example/p.png" alt="{{x}}">"#, #"<img src="https://a.example/p.png" alt="\#(escaped)">"#),
    ("<!--[if mso]><b><![endif]--><i>{{x}}</i>", "<!--[if mso]><b><![endif]--><i>\(escaped)</i>"),
    (#"<p style="font-family:&quot;A B&quot;">{{x}}"#, #"<p style="font-family:&quot;A B&quot;">\#(escaped)"#),
    (
      "<style>p { b: url(https://a.example?c&d) }</style>{{x}}",
      "<style>p { b: url(https://a.example?c&d) }</style>\(escaped)"
    ),
    ("<title>{{x}} & a</TITLE><p>b", "<title>\(escaped) & a</TITLE><p>b"),
    ("<style>p > a { color: red }\n</style><p>{{x}}", "<style>p > a { color: red }\n</style><p>\(escaped)"),
  ])
  func `a value is escaped by where it stands`(_ source: String, _ expected: String) throws {
    #expect(try render(source, ["x": Self.hostile]) == expected)
  }

  @Test(arguments: [
    "font-family:&#x27;Segoe UI&#X27;,&#39;A&#39;", "font-family:&#34;Segoe UI&#x22;,&apos;A&apos;",
    "background:url(https://a.example/?b=1&c=2&amp;d=3)", "background:url(&#x27;https://a.example/?b&#38;c=1&#x27;)",
  ])
  func `a style has references of quotes and of &, as tools write them`(_ style: String) throws {
    let source = "<p style=\"\(style)\">a</p>"
    #expect(try render(source, [:]) == source)
  }

  @Test func `filters write as the reader does, and what they hand on is escaped`() throws {
    #expect(try render("<b>{{a|money}}</b>", ["a": "12.5"])?.contains("12,50") == true)
    #expect(try render("<b>{{a|money}}</b>", ["a": "<i>"]) == "<b>&lt;i&gt;</b>")
  }

  @Test(arguments: [
    "javascript:alert(1)", "http://a.example/", "https://", "//a.example", "https://a b", "", "https://a\"b",
  ])
  func `a whole link that is none in https makes no HTML`(_ link: String) throws {
    #expect(try render(#"<a href="{{x}}">b</a>"#, ["x": link]) == nil)
  }

  @Test func `what follows a whole link leads to no other host, and no value steps out of its place in a path`() throws
  {
    let source = #"<a href="{{x}}/{{y}}">b</a>"#
    let html = try render(source, ["x": "https://a.example", "y": ".evil.example"])
    #expect(html == #"<a href="https://a.example/.evil.example">b</a>"#)
    for step in [".", ".."] {
      #expect(try render(source, ["x": "https://a.example/b", "y": step]) == nil)
      #expect(try LinkTemplate("https://a.example/o/{{x}}/pay").link(["x": step]) == nil)
    }
    #expect(try LinkTemplate("https://a.example/o/{{x}}").link(["x": "..."]) == "https://a.example/o/...")
  }

  @Test func `a whole link may have a query, whose signs are escaped`() throws {
    let html = try render(#"<a href="{{x}}">b</a>"#, ["x": "https://a.example/b?c=1&d='2'"])
    #expect(html == #"<a href="https://a.example/b?c=1&amp;d=&#39;2&#39;">b</a>"#)
  }

  @Test(arguments: [
    ("<script>a</script>", "has <script>"), ("<SCRIPT src='x'>", "has <script>"), ("<iframe>", "has <iframe>"),
    ("<form>", "has <form>"), ("<svg>", "has <svg>"), ("<base>", "has <base>"), ("<!-- a --!><script>", "has <script>"),
    (#"<p onclick="a">"#, "has an attribute onclick"), (#"<p ONLOAD="a">"#, "has an attribute onload"),
    (#"<meta http-equiv="refresh">"#, "has an attribute http-equiv"), ("<p {{x}}>", "{{x}} stands in a tag"),
    ("<{{x}}>", "{{x}} stands in a tag"), ("<p title={{x}}>", "{{x}} stands in an attribute without double quotes"),
    ("<p title='{{x}}'>", "{{x}} stands in an attribute without double quotes"),
    (#"<p style="color: {{x}}">"#, "{{x}} stands in a style"), ("<style>{{x}}</style>", "{{x}} stands in a style"),
    ("<!-- {{x}} -->", "{{x}} stands in a comment"), (#"<a href="http://a.example">"#, "is no https link"),
    (#"<a href="javascript:a">"#, "is no https link"), (#"<a href="{{x}}" href="mailto:a">"#, "is no https link"),
    (#"<a href="https://{{x}}/">"#, "{{x}} stands in the host of a link"),
    (#"<a href="https://a.{{x}}">"#, "{{x}} stands in the host of a link"),
    (#"<a href="&#106;avascript:a">"#, "is no https link"), (#"<a href=" https://a.example">"#, "is no https link"),
    ("<a href=https://a.example>", "has href= without double quotes"),
    (#"<p style="background: url(http://a.example)">"#, "has a style that loads"),
    (#"<p style="background: image-set('http://a.example/b.png' 1x)">"#, "has a style that loads"),
    ("<style>p { background: -webkit-IMAGE-SET('http://a.example/b.png' 1x) }</style>", "has a style that loads"),
    ("<style>p { background: cross-fade('http://a.example/b.png', red) }</style>", "has a style that loads"),
    ("<style>p { background: src('http://a.example/b.png') }</style>", "has a style that loads"),
    (#"<p style="background: url&#40;http://a.example)">"#, "has a style with a character reference"),
    (#"<p style="background: url&lpar;http://a.example)">"#, "has a style with a character reference"),
    (#"<p style="background: url(&quot;http://a.example&quot;)">"#, "has a style that loads"),
    (#"<p style="background: url(&#x27;http://a.example&#X27;)">"#, "has a style that loads"),
    (#"<p style="background: url(&amp;https://a.example)">"#, "has a style that loads"),
    (#"<p style="background: url(https://a.example/?b&c)">"#, "has a style with a character reference"),
    (#"<p style="background: url(https://a.example/?b&#40=c)">"#, "has a style with a character reference"),
    (#"<p style="background: url&amp;#40;http://a.example)&#x5c;">"#, "has a style with a character reference"),
    ("<style>@import 'https://a.example'</style>", "has a style that loads"),
    (#"<a href="{{x}}{{y}}">"#, "{{y}} stands in the host of a link"),
    (#"<a href="{{x}}.a{{y}}">"#, "{{y}} stands in the host of a link"),
    (#"<a href="{{x}}{{#y}}/{{/y}}{{x}}">"#, "a section stands between tags"),
    (#"<p {{#x}}title="a"{{/x}}>"#, "a section stands between tags"),
    ("<s{{#x}}x{{/x}}cript>a</s{{#x}}x{{/x}}cript>", "a section stands between tags"),
    ("<s{{#x}}x{{/x}}tyle>{{y}}", "a section stands between tags"),
    (#"<p style="background: u{{#x}}x{{/x}}rl(http://a.example)">"#, "a section stands between tags"),
    ("<style>a{{#x}}b{{/x}}</style>", "a section stands between tags"),
    (#"<p title="{{#x}}"><b title="{{/x}}">"#, "a section ends in another place"),
    (#"{{#x}}<p title="{{/x}}">"#, "a section ends in another place"), ("a < b", "has '<' by itself"),
    ("<style></style ><script>alert(1)</script><style></style>", "has '</style' without '>'"),
    ("<style></STYLE\n><script>alert(1)</script></style>", "has '</style' without '>'"),
    ("<style></style/><script>alert(1)</script><style></style>", "has '</style' without '>'"),
    ("<style>\u{600}</style><script>alert(1)</script><style></style>", "has <script>"),
    ("<!-- \u{600}--><script>alert(1)</script><!-- -->", "has <script>"),
    ("<title><!--</title><script>alert(1)</script>-->", "has '<' in the title"),
    ("<title><b></title>", "has '<' in the title"), ("<title></TITLE ><script>", "has '<' in the title"),
    ("<title>a</title><script>", "has <script>"), ("<title>a", "ends within a tag"),
    ("<title>{{#x}}</title>{{/x}}", "a section ends in another place"),
    ("<title></t{{x}}itle>", "{{x}} stands in a tag"),
    ("<p", "ends within a tag"), ("a<", "ends with '<'"), ("<!-- a", "ends within a tag"),
  ])
  func `what no mail may have is refused`(_ source: String, _ message: String) {
    let error = #expect(throws: CatalogueError.self) { try HTMLTemplate(source) }
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "taken")")
  }

  @Test(
    arguments: [
      (#"<div style="display:none">"#, "leaves <div> open"), ("<div/>a", "leaves <div> open"), ("<b><p>a</b>", nil),
      ("</td>", "has </td>, which ends nothing"), ("<p>a</p></table>", "has </table>, which ends nothing"),
      ("<td>a", "has <td> outside a table"), ("<tr>", "has <tr> outside a table"),
      ("<b><i>a</b></i>", "has </b> where <i>"),
      ("<body>", "has <body>, which is the layout's"), ("</HTML>", "has </html>, which is the layout's"),
      ("{{#x}}<div>{{/x}}</div>", "leaves <div> open"), ("<div>{{#x}}</div>{{/x}}", "has </div>, which ends nothing"),
      ("{{#x}}<p>a{{/x}}{{^x}}<p>b{{/x}}", nil), ("{{#x}}<div>a</div>{{/x}}<br><img alt=\"a\"><hr/>", nil),
      ("<table><tr><td><ul><li>a<li>b</ul><td>c</table>", nil),
      ("<style>b > a {}</style><title>a</title><p>a<p>b", nil),
      ("<TABLE><tbody><tr><th>a</th></tr></tbody></Table>", nil),
      ("<table><table></table></table>", "has <table> in a table, outside its cells"),
      ("<table><tr><table></table></tr></table>", "has <table> in a table, outside its cells"),
      ("<table><tr><td>a<tr><table></table></table>", "has <table> in a table, outside its cells"),
      ("<table><div><table></table></div></table>", "has <table> in a table, outside its cells"),
      ("<table><tr><td><div><tr></table>", "has <tr> where <div> is open"),
      ("<table><tr><td>{{#x}}<tr>{{/x}}<table></table></table>", "has <tr> in a section, and it ends <td>"),
      ("<table><caption>a<tr><td><table><tr><td>a</table><b>b</b></table>", nil),
      ("<table><colgroup><col><col><thead><tr><th>a<tbody><tr><td>b<td>c<tr><td>d</table>", nil),
      ("<table>{{#x}}<tr><td>a</td></tr>{{/x}}<tr>{{#x}}<td>a{{/x}}</tr></table>", nil),
    ] as [(String, String?)]
  )
  func `what stands in a layout neither ends nor hides what is around it`(_ source: String, _ message: String?) {
    var said: String?
    do { _ = try HTMLTemplate(source, isContent: true) } catch { said = error.description }
    if let message {
      #expect(said?.contains(message) == true, "\(said ?? "taken")")
    } else {
      #expect(said == nil)
    }
  }

  /// Any text for a value, in every place that takes one: the tags stay those of the author.
  @Test func `whatever a value says, it opens no tag and ends no attribute`() throws {
    let template = try HTMLTemplate(#"<p title="{{x}}">{{x}}<a href="https://a.example/{{x}}?{{x}}">{{x}}</a></p>"#)
    let formats = TextFormats(locale: "en", currency: "USD")
    var generator = SystemRandomNumberGenerator()
    let pieces = [
      "<", ">", "\"", "'", "&", "{{", "}}", "/", "\\", "\u{0}", "\u{1}", "\n", "é", "👋", "a", "=", " ", "-->",
    ]
    for _ in 0..<500 {
      let value = (0..<12).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
      let html = try #require(template.render(["x": value], formats))
      #expect(html.count { $0 == "<" } == 4 && html.count { $0 == ">" } == 4, "\(value.debugDescription)")
      #expect(html.count { $0 == "\"" } == 4, "\(value.debugDescription)")
      #expect(!html.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" }, "\(value.debugDescription)")
    }
  }

  @Test(arguments: [
    ("https://a.example/o/{{x}}", "https://a.example/o/%2F..%2F%3Fb"),
    ("https://a.example/?o={{x}}", "https://a.example/?o=%2F..%2F%3Fb"), ("https://a.example", "https://a.example"),
    ("https://a.example/{{#y}}y{{/y}}{{x}}", "https://a.example/%2F..%2F%3Fb"),
  ])
  func `a button's link has its values as parts of the path or the query`(_ source: String, _ link: String) throws {
    #expect(try LinkTemplate(source).link(["x": "/../?b"]) == link)
  }

  @Test(arguments: [
    "http://a.example", "https://{{x}}", "https://a.example{{x}}", "https://{{x}}.example/", "app:open", "{{x}}",
    "https://a.example/{{x|money}}", "https://a.example/ b", "",
  ])
  func `a button leads to a host that the catalogue names, by https`(_ source: String) {
    #expect(throws: CatalogueError.self) { try LinkTemplate(source) }
  }

  @Test func `a button whose data is missing has no link`() throws {
    #expect(try LinkTemplate("https://a.example/{{x}}").link([:]) == nil)
  }
}
