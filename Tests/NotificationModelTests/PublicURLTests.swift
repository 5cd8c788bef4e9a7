import Testing

@testable import NotificationModel

@Suite struct PublicURLTests {
  @Test(arguments: [
    ("https://notify.example.com", "https://notify.example.com"), ("https://example.com/", "https://example.com"),
    ("https://example.com:8443/belfry/api", "https://example.com:8443/belfry/api"),
    ("https://192.0.2.1/x/", "https://192.0.2.1/x"),
  ])
  func `an https address, without the slash at its end`(_ text: String, _ address: String) throws {
    let read = try #require(PublicURL(text))
    #expect(read.description == address && !read.isEmpty)
    #expect(read.page("unsubscribe", "token") == "\(address)/unsubscribe/token")
    #expect(read.page("unsubscribe", "token").isHTTPSLink, "the mail's end has the link, as its headers have")
  }

  @Test(arguments: [
    "", "http://example.com", "example.com", "https://", "https:///x", "https://exa mple.com",
    "https://u:p@example.com",
    "https://example.com?x=1", "https://example.com/#x", "https://example.com/a,b", "https://example.com/<x>",
    "https://exämple.com", "https://[2001:db8::1]/x", "https://notify.example.com.", "https://-notify.example.com",
    "https://example.com//x", "https://example.com/\r\nBcc:", "https://\(String(repeating: "x", count: 200)).com",
  ])
  func `what a mail's header cannot have, or a mailbox cannot reach, is none`(_ text: String) {
    #expect(PublicURL(text) == nil)
  }
}
