import ServiceRuntime
import Testing

@Suite struct AllowedOriginsTests {
  @Test func `origins are compared as browsers send them, whatever their case`() throws {
    let origins = try #require(AllowedOrigins("https://App.example:8443 , http://localhost:5173,capacitor://localhost"))
    for origin in ["https://app.example:8443", "http://LOCALHOST:5173", "capacitor://localhost"] {
      #expect(origins.contains(origin))
    }
    for origin in ["https://app.example", "http://app.example:8443", "https://app.example:8443/", "null", ""] {
      #expect(!origins.contains(origin))
    }
    #expect(!origins.isEmpty)
    #expect(AllowedOrigins(origins.description) == origins)
  }

  @Test(arguments: [
    "*", "null", "app.example", "https://", "https://app.example/", "https://app.example/path", "https://a b",
    "https://app.example?x", "https://me@app.example", "https://*.example", "https://app.example,*",
  ])
  func `what is no origin is refused`(_ text: String) {
    #expect(AllowedOrigins(text) == nil)
  }

  @Test func `none allows nobody`() {
    #expect(AllowedOrigins.none.isEmpty)
    #expect(!AllowedOrigins.none.contains("https://app.example"))
    #expect(AllowedOrigins("") == AllowedOrigins.none)
  }
}
