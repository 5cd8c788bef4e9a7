import Foundation
import LocalStack
import Transport

/// libcurl's plain loop against the simulator's FCM: the push dispatcher's limit.
enum FCMLimit {
  static func measure(_ stack: BelfryStack, count: Int = 20_000) async throws -> CurlLoop.Result {
    let token = try await accessToken(stack)
    let message = """
      {"message":{"token":"bench-limit:\(String(repeating: "0123456789abcdef", count: 8))","notification":{"title":\
      "Allowance received","body":"You received $10.00. Your balance is $42.00."},"data":{"amount":"$10.00","balance":\
      "$42.00","notificationId":"0193b1f0-0000-7000-8000-000000000000","type":"10"},"android":{"priority":"HIGH","ttl":\
      "86400s","notification":{"sound":"default","click_action":"OPEN_NOTIFICATION","tag":\
      "0193b1f0-0000-7000-8000-000000000000"}}}}
      """
    return try await CurlLoop.run(
      CurlLoop.Target(
        url: "https://localhost:\(stack.fcmPort)/v1/projects/\(try account(stack).project_id)/messages:send",
        caFile: "\(stack.simulatorDirectory)/ca.pem",
        headers: ["Content-Type: application/json", "Authorization: Bearer \(token)"],
        body: Array(message.utf8)
      ),
      window: 100,
      count: count
    )
  }

  /// Google's own SDK, over HTTP/2.
  static func firebaseAdmin(_ stack: BelfryStack, count: Int) async throws -> ForeignSender.Result {
    try await ForeignSender.run(
      "firebase_admin_rate.py",
      [
        "--account", "\(stack.simulatorDirectory)/service-account.json", "--authority",
        "\(stack.simulatorDirectory)/ca.pem", "--fcm", "https://localhost:\(stack.fcmPort)", "--count", "\(count)",
      ]
    )
  }

  private struct Account: Decodable {
    var project_id: String
    var private_key: String
    var client_email: String
    var token_uri: String
  }

  private static func account(_ stack: BelfryStack) throws -> Account {
    let file = URL(filePath: "\(stack.simulatorDirectory)/service-account.json")
    return try JSONDecoder().decode(Account.self, from: try Data(contentsOf: file))
  }

  /// Exchanges an assertion signed by openssl(1) for a token, as RFC 7523 says.
  private static func accessToken(_ stack: BelfryStack) async throws -> String {
    let account = try account(stack)
    let now = Int(Date.now.timeIntervalSince1970)
    let claims = """
      {"iss":"\(account.client_email)","scope":"https://www.googleapis.com/auth/firebase.messaging",\
      "aud":"\(account.token_uri)","iat":\(now),"exp":\(now + 3_600)}
      """
    let signed = base64URL(Data(#"{"alg":"RS256","typ":"JWT"}"#.utf8)) + "." + base64URL(Data(claims.utf8))
    let files = ["key.pem", "signed", "signature"].map { URL(filePath: "\(stack.configuration.directory)/\($0)") }
    defer { for file in files { unlink(file.path) } }
    try Data(account.private_key.utf8).write(to: files[0])
    try Data(signed.utf8).write(to: files[1])
    try await LocalProcess.run(
      executable: "openssl",
      arguments: ["dgst", "-sha256", "-sign", files[0].path, "-out", files[2].path, files[1].path]
    )
    let assertion = signed + "." + base64URL(try Data(contentsOf: files[2]))
    var configuration = HTTPClientConfiguration()
    configuration.caFile = "\(stack.simulatorDirectory)/ca.pem"
    let client = HTTPClient(configuration: configuration, logger: .bench)
    let answer = try await client.send(
      HTTPRequest(
        method: "POST",
        url: account.token_uri,
        headers: [(name: "Content-Type", value: "application/x-www-form-urlencoded")],
        body: Array("grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=\(assertion)".utf8)
      )
    )
    await client.close()
    struct Grant: Decodable { var access_token: String }
    guard answer.status == 200 else { throw BenchError("the token endpoint answered \(answer.status)") }
    return try JSONDecoder().decode(Grant.self, from: Data(answer.body)).access_token
  }

  private static func base64URL(_ data: Data) -> String {
    data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }
}
