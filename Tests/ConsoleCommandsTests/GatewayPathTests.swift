import ConsoleCommands
import Testing

@Suite struct GatewayPathTests {
  @Test func `what somebody typed stays one part of a path`() {
    #expect(GatewayPath("groups", "a/../b?c#d e%é").text == "/api/v1/groups/a%2F..%2Fb%3Fc%23d%20e%25%C3%A9")
    #expect(GatewayPath("groups", "..").text == "/api/v1/groups/%2E%2E")
    let path = GatewayPath("x").with("a", nil).with("b", "1&c=2+3\u{1}").with("d", 4)
    #expect(path.text == "/api/v1/x?b=1%26c%3D2%2B3%01&d=4")
  }
}
