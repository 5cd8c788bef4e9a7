import NotificationModel
import Settings
import Testing

@testable import Gateway

@Suite struct BounceSettingsTests {
  /// What is wrong with the settings, or nil.
  private func problem(_ variables: [String: String]) -> String? {
    let settings = Settings(variables: variables)
    _ = BounceConfiguration(settings)
    do {
      try settings.validate()
      return nil
    } catch {
      return error.description
    }
  }

  @Test func `nothing is set unless it is said`() {
    let settings = Settings(variables: [:])
    let configuration = BounceConfiguration(settings)
    #expect(configuration.sesTopics.isEmpty && configuration.postmarkCredentials.isEmpty)
    #expect(configuration.sendgridKeys.isEmpty && configuration.mailgunKeys.isEmpty && configuration.returnPath.isEmpty)
  }

  @Test(arguments: [
    "arn:aws:sns:eu-west-1:123456789012:bounces", "arn:aws-cn:sns:cn-north-1:123456789012:b",
    "arn:aws-us-gov:sns:us-gov-west-1:123456789012:b,arn:aws:sns:eu-west-1:123456789012:b",
  ])
  func `topics go by their names`(_ names: String) {
    #expect(problem(["BELFRY_BOUNCES_SES_TOPICS": names]) == nil)
  }

  @Test(arguments: [
    "bounces", "arn:aws:sqs:eu-west-1:123456789012:b", "arn:aws:sns:eu-west-1.example.com/:123456789012:b",
    "arn:aws:sns::123456789012:b", "arn:aws:sns:eu-west-1:1:b", "arn:other:sns:eu-west-1:123456789012:b",
    "arn:aws:sns:eu-west-1:123456789012:",
  ])
  func `what is no topic stops the start`(_ name: String) {
    #expect(problem(["BELFRY_BOUNCES_SES_TOPICS": name])?.hasPrefix("BELFRY_BOUNCES_SES_TOPICS: expected") == true)
  }

  @Test func `a topic's region says from where alone certificates come`() {
    #expect(SNSTopic("arn:aws:sns:eu-west-1:123456789012:b")?.host == "sns.eu-west-1.amazonaws.com")
    #expect(SNSTopic("arn:aws-cn:sns:cn-north-1:123456789012:b")?.host == "sns.cn-north-1.amazonaws.com.cn")
  }

  @Test func `a certificate's name has letters and digits alone`() throws {
    let topic = try #require(SNSTopic("arn:aws:sns:eu-west-1:123456789012:b"))
    func isCertificate(_ name: String) -> Bool {
      topic.isCertificate("https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-\(name).pem")
    }
    #expect(isCertificate("9c6465fa7f48f5cacd23014631ec1136") && isCertificate("Zz0") && isCertificate("0"))
    for name in ["", "a-b", "a_b", "a/b", "a?b", "a%62", "\u{E9}", "\u{B2}"] {
      #expect(!isCertificate(name), "\(name)")
    }
  }

  @Test func `keys and passwords that are none stop the start`() {
    #expect(problem(["BELFRY_BOUNCES_POSTMARK_CREDENTIALS": "postmark:short"])?.contains("20 characters") == true)
    #expect(problem(["BELFRY_BOUNCES_POSTMARK_CREDENTIALS": "postmark:0123456789abcdef"]) == nil)
    #expect(problem(["BELFRY_BOUNCES_SENDGRID_KEYS": "AAAA"])?.contains("BELFRY_BOUNCES_SENDGRID_KEYS") == true)
    // RFC 6979, appendix A.2.5, as SendGrid shows keys.
    let key =
      "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEYP7UuiVanTHJYet0xjVtaMBJuJI7Yfps5mliLmDyn7Z5A/4QCLi8maQa6elWKLxk8vGyDC1+n1F3o8KU1EYimQ=="
    #expect(problem(["BELFRY_BOUNCES_SENDGRID_KEYS": key]) == nil)
    #expect(problem(["BELFRY_EMAIL_RETURN_PATH_KEYS": "short"])?.contains("32 bytes") == true)
  }

  @Test func `what is the email dispatcher's is no mistake of a gateway's`() {
    #expect(problem(["BELFRY_EMAIL_HOST": "mail.example.com", "BELFRY_EMAIL_RETURN_PATH": "b@example.com"]) == nil)
  }
}
