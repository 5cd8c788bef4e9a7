import Authentication
import ConsoleCommands
import Settings
import Testing

@Suite struct TokenMintingTests {
  private static let secret = String(repeating: "s", count: 32)

  private func minting(_ variables: [String: String]) throws -> TokenMinting {
    let settings = Settings(variables: variables)
    let minting = TokenMinting(settings)
    try settings.validate()
    return minting
  }

  @Test(arguments: [(nil, nil), ("https://id.example", nil), (nil, "belfry"), ("https://id.example", "belfry")])
  func `a minted token is one that services with the same settings take`(_ issuer: String?, _ audience: String?)
    async throws
  {
    var variables = ["BELFRY_AUTH_SECRET": Self.secret]
    variables["BELFRY_AUTH_ISSUER"] = issuer
    variables["BELFRY_AUTH_AUDIENCE"] = audience
    let token = try minting(variables).mint(roles: [.admin])
    let settings = Settings(variables: variables)
    let verifier = try TokenVerifier(configuration: TokenVerifierConfiguration(settings))
    let principal = try verifier.verify(token)
    #expect(principal.subject == "belfry-cli" && principal.roles == [.admin])
  }

  @Test func `where only a key set is, a token has to be given`() {
    #expect(throws: StartError.self) { try minting([:]) }
    let error = #expect(throws: StartError.self) { try minting(["BELFRY_AUTH_JWKS_FILE": "/keys.json"]) }
    #expect(error.map { "\($0)".contains("--token") } == true)
    #expect(throws: Never.self) {
      try minting(["BELFRY_AUTH_JWKS_FILE": "/keys.json", "BELFRY_AUTH_SECRET": Self.secret])
    }
  }
}
