import Foundation
import JWTKit

/// Tokens with any header and claims, sensible or not, properly signed.
enum TestToken {
  static func hs256(header: String, claims: String, secret: String) async throws -> String {
    let algorithm = try await JWTKeyCollection().add(hmac: HMACKey(from: secret), digestAlgorithm: .sha256).getKey()
    return try signed(header: header, claims: claims, with: algorithm)
  }

  static func signed(header: String, claims: String, with algorithm: any JWTAlgorithm) throws -> String {
    let plaintext = "\(base64URL(Array(header.utf8))).\(base64URL(Array(claims.utf8)))"
    return try "\(plaintext).\(base64URL(algorithm.sign(Array(plaintext.utf8))))"
  }

  static func base64URL(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }
}
