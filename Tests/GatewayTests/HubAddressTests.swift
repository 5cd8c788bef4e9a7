import Gateway
import Testing

@Suite struct HubAddressTests {
  @Test(arguments: [
    "/hubs/notifications", "https://hub.example/hubs/notifications", "http://127.0.0.1:8081/hubs/notifications",
    "http://[::1]:8081/hubs/notifications",
  ])
  func `an address or a path is one`(_ text: String) {
    #expect(HubAddress(text)?.description == text)
  }

  @Test(arguments: [
    "", "/", "//hub.example/hubs", "hub.example/hubs", "ws://hub.example/hubs", "https://me:secret@hub.example/hubs",
    "https://hub.example", "https://hub.example/", "/hubs?x=1", "/hubs#x", "/hu bs", "/hu\\bs", "javascript:alert(1)",
  ])
  func `what is none is refused`(_ text: String) {
    #expect(HubAddress(text) == nil)
  }
}
