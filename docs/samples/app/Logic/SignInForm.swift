import Foundation

/// What the user types to sign in. An app of yours has a sign-in of its own, and gets the token from its backend.
struct SignInForm: Sendable, Equatable {
  var gateway = ""
  var token = ""

  /// What is typed, checked.
  struct Credentials: Sendable, Equatable, Codable {
    let gateway: URL
    let token: String
  }

  /// What is wrong with it.
  enum Fault: String, Error, Sendable, CaseIterable {
    case noAddress = "Type the gateway’s address, such as https://belfry.example.com."
    case notEncrypted = "The address must begin with https://, except for this machine’s own."
    case noToken = "Paste a token."
    case badToken = "That is no token: it has blanks or is too long."
  }

  /// - Throws: ``Fault``.
  func check() throws(Fault) -> Credentials {
    var text = gateway.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !text.isEmpty, text.utf8.count <= 2_000 else { throw .noAddress }
    if !text.contains("://") { text = "https://\(text)" }
    guard let url = URL(string: text), let host = url.host(percentEncoded: false), !host.isEmpty, url.user() == nil,
      url.query() == nil, url.fragment() == nil, let scheme = url.scheme?.lowercased(),
      ["http", "https"].contains(scheme)
    else { throw .noAddress }
    guard scheme == "https" || ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host) else { throw .notEncrypted }
    let token = token.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !token.isEmpty else { throw .noToken }
    guard token.utf8.count <= 8_192, token.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else { throw .badToken }
    return Credentials(gateway: url, token: token)
  }

  /// Nil where nothing is wrong, or nothing was typed yet.
  var fault: Fault? {
    if gateway.isEmpty && token.isEmpty { return nil }
    do throws(Fault) {
      _ = try check()
      return nil
    } catch {
      return error
    }
  }
}

extension SignInForm.Credentials: CustomStringConvertible {
  /// Without the token, which must be in no log.
  var description: String { gateway.absoluteString }
}

/// Where the credentials lie between two starts: the keychain, or memory for previews and tests.
@MainActor
protocol CredentialStore: AnyObject {
  var credentials: SignInForm.Credentials? { get set }
}

@MainActor
final class MemoryCredentialStore: CredentialStore {
  var credentials: SignInForm.Credentials?

  init(_ credentials: SignInForm.Credentials? = nil) {
    self.credentials = credentials
  }
}
