import Foundation
import Transport

/// The key file of a Firebase service account, as Google issues it.
struct ServiceAccount: Decodable, Sendable {
  var projectID: String
  var privateKeyID: String
  /// PKCS#8 PEM. A secret: never printed.
  var privateKey: String
  var clientEmail: String
  var tokenURI: String

  private enum CodingKeys: String, CodingKey {
    case projectID = "project_id"
    case privateKeyID = "private_key_id"
    case privateKey = "private_key"
    case clientEmail = "client_email"
    case tokenURI = "token_uri"
  }

  /// Where the token endpoint is, without its path.
  var tokenOrigin: String { HTTP2Client.origin(of: tokenURI) ?? "" }
}

extension ServiceAccount {
  /// - Throws: `PushError` naming the file and the missing field, never its contents.
  init(file path: String) throws(PushError) {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw PushError(
        "cannot read the service account file \(path) (BELFRY_PUSH_SERVICE_ACCOUNT_FILE): \(FCMConfiguration.remedy)"
      )
    }
    // Under systemd there is a blank one where there is none.
    if data.allSatisfy({ " \n\r\t".utf8.contains($0) }) {
      throw PushError(
        """
        the service account file \(path) is empty (BELFRY_PUSH_SERVICE_ACCOUNT_FILE; under systemd it is a copy of \
        /etc/belfry/service-account.json): \(FCMConfiguration.remedy)
        """
      )
    }
    do {
      self = try JSONDecoder().decode(ServiceAccount.self, from: data)
    } catch DecodingError.keyNotFound(let key, _) {
      throw PushError("the service account file \(path) has no '\(key.stringValue)'")
    } catch {
      throw PushError("the service account file \(path) is not the JSON file that Firebase issues")
    }
    guard HTTP2Client.origin(of: tokenURI) != nil else {
      throw PushError("the service account file \(path) has a 'token_uri' that is no https:// address")
    }
  }
}
