import BelfryClient
import Foundation
import Observation

/// Who is signed in to the app.
@MainActor
@Observable
final class AppSession {
  /// Nil: the sign-in is shown.
  private(set) var account: Account?
  private(set) var isInFront = false

  /// This app's own UUID; nil before it registered for pushes.
  var installation: UUID?

  @ObservationIgnored private let store: any CredentialStore
  @ObservationIgnored private let configure: (URL) -> BelfryConfiguration

  /// - Parameter configure: Makes the client's configuration of a gateway's address.
  init(_ store: any CredentialStore, configure: @escaping (URL) -> BelfryConfiguration) {
    self.store = store
    self.configure = configure
  }

  /// Signs in who was signed in before.
  func restore() async {
    if account == nil, let credentials = store.credentials { await start(credentials) }
  }

  /// - Throws: ``SignInForm/Fault``.
  func signIn(_ form: SignInForm) async throws(SignInForm.Fault) {
    let credentials = try form.check()
    await signOut()
    store.credentials = credentials
    await start(credentials)
  }

  /// Forgets the user and what is cached.
  func signOut() async {
    store.credentials = nil
    guard let account else { return }
    self.account = nil
    await account.client.signOut()
  }

  /// The app came to the front, or went behind others.
  func setInFront(_ value: Bool) async {
    guard value != isInFront else { return }
    isInFront = value
    guard let account else { return }
    if value { await account.client.enterForeground() } else { await account.client.enterBackground() }
  }

  private func start(_ credentials: SignInForm.Credentials) async {
    let token = credentials.token
    let client = BelfryClient(configure(credentials.gateway)) { reason in
      // This sample has one token; an app asks its backend for a new one here.
      guard reason == .needed else { throw BelfryError(.unauthorized) }
      return token
    }
    let account = Account(client)
    self.account = account
    await client.connect()
  }
}
