import NotificationModel
import Testing

@Suite struct PushServiceHostsTests {
  private func endpoint(_ text: String) throws -> PushEndpoint { try #require(PushEndpoint(text), "\(text)") }

  @Test func `an endpoint has host, port and origin in one form, and stays as it was given`() throws {
    let plain = try endpoint("https://FCM.googleapis.com./fcm/send/a:b?x=@y")
    #expect(plain.url == "https://FCM.googleapis.com./fcm/send/a:b?x=@y")
    #expect(plain.host == "fcm.googleapis.com" && plain.port == 443 && plain.origin == "https://fcm.googleapis.com")
    #expect(try endpoint("https://push.example:443/1").origin == "https://push.example")
    #expect(try endpoint("https://push.example:8443/1").origin == "https://push.example:8443")
    #expect(try endpoint("https://[2606:4700::1111]:8443/1").host == "[2606:4700::1111]")
    #expect(try endpoint("https://push.example").host == "push.example")
  }

  @Test(arguments: [
    ("https://FCM.googleapis.com./fcm/Send/a:b?x=@y", "https://fcm.googleapis.com/fcm/Send/a:b?x=@y"),
    ("https://Push.example:443/1", "https://push.example/1"),
    ("https://push.example:08443/1", "https://push.example:8443/1"),
    ("https://push.example", "https://push.example/"),
    ("https://push.example?@evil.example", "https://push.example/?@evil.example"),
  ])
  func `what is asked has the host in its one form, and the rest as it was given`(_ text: String, _ address: String)
    throws
  {
    #expect(try endpoint(text).address == address)
  }

  @Test(arguments: [
    "", "https://", "https:///1", "http://push.example/1", "HTTPS://push.example/1", "push.example/1",
    "https://a@push.example/1", "https://a:b@push.example/1", "https://push.example\\@evil.example/1",
    "https://push.example#@evil.example/1", "https://push.example?@evil.example", "https://push.example:/1",
    "https://push.example:+443/1", "https://push.example:0/1", "https://push.example:65536/1",
    "https://push.example:99999999999999999999/1", "https://p%75sh.example/1", "https://push..example/1",
    "https://.push.example/1", "https://pusch\u{e4}.example/1", "https://push.example/a b", "https://push.example/\n",
    "https://[::1", "https://[]/1", "https://[::1%25lo]/1",
    "https://push.example/" + String(repeating: "a", count: 2_048),
  ])
  func `what could be read in more ways than one is no endpoint`(_ text: String) {
    // A question mark ends the host, as it does for libcurl.
    let endpoint = PushEndpoint(text)
    #expect(endpoint == nil || text == "https://push.example?@evil.example" && endpoint?.host == "push.example")
  }

  @Test(arguments: [
    "https://fcm.googleapis.com/fcm/send/1", "https://jmt17.google.com/fcm/send/1",
    "https://updates.push.services.mozilla.com/wpush/v2/1", "https://web.push.apple.com/1",
    "https://wns2-by3p.notify.windows.com/w/?token=1", "https://fcm.googleapis.com:443/1",
  ])
  func `the push services of the browsers' makers are known, with what is below them`(_ text: String) throws {
    #expect(PushServiceHosts.standard.allow(try endpoint(text)))
  }

  @Test func `whatever its host, an endpoint is of the service that allows it`() throws {
    let hosts = try #require(PushServiceHosts("push.example:8443, other.example"))
    func service(_ text: String) throws -> String? { hosts.service(of: try endpoint(text)) }
    for host in ["wns2-by3p.notify.windows.com", "wns2-am3p.notify.windows.com", "notify.windows.com"] {
      #expect(try service("https://\(host)/w/1") == "notify.windows.com")
    }
    #expect(try service("https://a.push.example:8443/1") == "push.example:8443")
    #expect(try service("https://b.other.example/1") == "other.example")
    #expect(try service("https://push.example/1") == nil)
  }

  @Test(arguments: [
    "https://googleapis.com/1", "https://notfcm.googleapis.com/1", "https://fcm.googleapis.com.example.net/1",
    "https://mozilla.com/1", "https://fcm.googleapis.com:8443/1", "https://127.0.0.1/1", "https://push.apple.co/1",
    "https://xpush.apple.com/1",
  ])
  func `no other host is`(_ text: String) throws {
    #expect(!PushServiceHosts.standard.allow(try endpoint(text)))
  }

  @Test func `a deployment's own are known besides, at their ports alone`() throws {
    let hosts = try #require(PushServiceHosts("ntfy.Example.org, localhost:7070 ,"))
    #expect(hosts.description == "ntfy.example.org,localhost:7070")
    #expect(PushServiceHosts(hosts.description) == hosts)
    for allowed in [
      "https://ntfy.example.org/up1", "https://a.ntfy.example.org/up1", "https://localhost:7070/1",
      "https://fcm.googleapis.com/1",
    ] {
      #expect(hosts.allow(try endpoint(allowed)), "\(allowed)")
    }
    for refused in [
      "https://localhost/1", "https://localhost:7071/1", "https://ntfy.example.org:7070/1",
      "https://fcm.googleapis.com:7070/1",
    ] {
      #expect(!hosts.allow(try endpoint(refused)), "\(refused)")
    }
    #expect(PushServiceHosts("") == .standard)
    for wrong in ["https://a.example", "a b", "a:0", "a:b", "*.example.org", "a/b"] {
      #expect(PushServiceHosts(wrong) == nil, "\(wrong)")
    }
  }
}
