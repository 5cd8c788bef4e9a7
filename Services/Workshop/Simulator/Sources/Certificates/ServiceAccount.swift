import Cryptography
import Foundation
import BelfryJSON
import Settings

/// The service account whose file, `service-account.json`, the push dispatcher is given.
///
/// The key is made once; the file is written anew at each start, because the token endpoint's port may have changed.
struct ServiceAccount: Sendable {
  private static let fileName = "service-account.json"

  let project: String
  /// Where clients reach the token endpoint.
  let host: String
  let keyID: String
  let key: PrivateKey

  var clientEmail: String { "belfry-simulator@\(project).iam.gserviceaccount.com" }

  var verifier: AssertionVerifier {
    AssertionVerifier(key: key.publicKey, keyID: keyID, clientEmail: clientEmail)
  }

  /// The token endpoint, which is also the audience of assertions.
  func tokenURL(port: Int) -> String { "https://\(host):\(port)/token" }

  init(project: String, host: String = "localhost", directory: DataDirectory) throws(StartError) {
    self.project = project
    self.host = host
    do {
      if let text = try directory.read(Self.fileName) {
        let file = try JSONParser.parse(Array(text.utf8))
        guard let pem = file["private_key"]?.string, let keyID = file["private_key_id"]?.string else {
          throw StartError("\(directory.path(Self.fileName)) has no private key, delete it to get a new one")
        }
        self.keyID = keyID
        key = try PrivateKey(pem: pem, .rsa)
      } else {
        keyID = (0..<20).map { _ in String(UInt8.random(in: 16 ... .max), radix: 16) }.joined()
        key = try PrivateKey(.rsa)
      }
    } catch let error as StartError {
      throw error
    } catch {
      throw StartError("\(directory.path(Self.fileName)) does not work, delete it to get a new one: \(error)")
    }
  }

  func write(to directory: DataDirectory, port: Int) throws(StartError) {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("type", "service_account")
      writer.field("project_id", project)
      writer.field("private_key_id", keyID)
      writer.field("private_key", key.pem)
      writer.field("client_email", clientEmail)
      writer.field("client_id", "100000000000000000001")
      writer.field("auth_uri", "https://accounts.google.com/o/oauth2/auth")
      writer.field("token_uri", tokenURL(port: port))
      writer.field("universe_domain", "googleapis.com")
    }
    try directory.write(Self.fileName, writer.text + "\n", isPrivate: true)
  }
}
