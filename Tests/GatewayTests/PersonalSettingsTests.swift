import Gateway
import Settings
import TestSupport
import Testing

/// The settings of what users may do with all that is kept about them.
@Suite struct PersonalSettingsTests {
  @Test func `users export, and do not erase, unless it is said`() throws {
    let unsaid = Settings(variables: [:])
    let byDefault = PersonalConfiguration(unsaid)
    #expect(byDefault.allowsExporting && !byDefault.allowsErasing)
    let said = Settings(variables: ["BELFRY_GATEWAY_SELF_EXPORT": "false", "BELFRY_GATEWAY_SELF_ERASE": "true"])
    let otherwise = PersonalConfiguration(said)
    #expect(!otherwise.allowsExporting && otherwise.allowsErasing)
    try said.validate()
  }
}
