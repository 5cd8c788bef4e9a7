import Testing

@testable import InAppDispatcher

@Suite struct RequestTargetTests {
  @Test func `path and parameters come apart`() {
    let target = RequestTarget("/hub/family?id=a%2Bb&access_token=x.y-z_&empty=&flag&id=second&sum=1+1#part")
    #expect(target.path == "/hub/family")
    #expect(target.parameter("id") == "a+b")
    #expect(target.parameter("access_token") == "x.y-z_")
    #expect(target.parameter("empty") == "")
    #expect(target.parameter("flag") == "")
    #expect(target.parameter("sum") == "1 1")
    #expect(target.parameter("absent") == nil)
    #expect(RequestTarget("/x").parameter("id") == nil)
  }

  @Test(arguments: ["%", "%2", "%zz", "%ff"])
  func `broken encodings count as absent`(text: String) {
    #expect(RequestTarget("/x?id=\(text)").parameter("id") == nil)
  }

  @Test func `a path means the same in any case, and with a slash at its end`() {
    for (path, route) in [
      ("/hubs/notifications", .hub(.notifications)), ("/hubs/notifications/", .hub(.notifications)),
      ("/Hubs/NOTIFICATIONS/Negotiate", .negotiate(.notifications)), ("/HUB/Family/", .hub(.family)),
      ("/hub/family/negotiate/", .negotiate(.family)), ("/health/live", .live), ("/Health/Ready/", .ready),
    ] as [(Substring, HubRoute)] {
      #expect(HubRoute(path: path) == route, "\(path)")
    }
    for path in ["", "/", "/hubs", "/hubs/notifications//", "//hubs/notifications", "/hubs/notifications/x"] {
      #expect(HubRoute(path: path[...]) == nil, "\(path)")
    }
  }

  @Test func `ids are random and safe in a URL`() {
    let ids = (0..<1_000).map { _ in ConnectionID.random() }
    #expect(Set(ids).count == 1_000)
    for id in ids {
      let text = id.description
      #expect(text.count == 22 && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) })
      #expect(ConnectionID(text) == id)
    }
  }

  @Test(arguments: ["", "stale", "AAAAAAAAAAAAAAAAAAAAAB", "AAAAAAAAAAAAAAAAAAAAA=", "AAAAAAAAAAAAAAAAAAAAAAA"])
  func `what is no id is refused`(text: String) {
    #expect(ConnectionID(text) == nil)
  }
}
