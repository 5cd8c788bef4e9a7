import BelfryClient
import Foundation
import Observation

/// Who is signed in to the app.
@MainActor
@Observable
final class AppSession {
  /// Nil: the sign-in is shown.
  private(set) var account: Account?

  /// Is told of each user who signs in, before anything is asked of the server.
  @ObservationIgnored var began: @MainActor (Account) -> Void = { _ in }
  @ObservationIgnored private let store: any CredentialStore
  @ObservationIgnored private let system: Pushes.System
  @ObservationIgnored private let configure: @MainActor (URL) -> BelfryConfiguration
  @ObservationIgnored private var isInFront = true

  /// - Parameter configure: Makes the client's configuration of a gateway's address.
  init(
    _ store: any CredentialStore,
    system: Pushes.System,
    configure: @escaping @MainActor (URL) -> BelfryConfiguration
  ) {
    self.store = store
    self.system = system
    self.configure = configure
  }

  /// Signs in who was signed in before, at once: a tap that started the app waits for it. ``connect()`` comes next.
  func restore() {
    if account == nil, let credentials = store.credentials { begin(credentials) }
  }

  func connect() async {
    await account?.client.connect()
  }

  /// - Throws: ``SignInForm/Fault``.
  func signIn(_ form: SignInForm) async throws(SignInForm.Fault) {
    let credentials = try form.check()
    await signOut()
    store.credentials = credentials
    begin(credentials)
    await connect()
  }

  /// Forgets the user and what is cached, and deletes this app's device.
  func signOut() async {
    store.credentials = nil
    guard let account else { return }
    self.account = nil
    await account.pushes.signOut()
  }

  /// The app came to the front, or went behind others.
  func setInFront(_ value: Bool) async {
    guard value != isInFront else { return }
    isInFront = value
    guard let account else { return }
    if value {
      await account.client.enterForeground()
      await account.pushes.cameToFront()
    } else {
      await account.client.enterBackground()
    }
  }

  private func begin(_ credentials: SignInForm.Credentials) {
    let token = credentials.token
    let configuration = configure(credentials.gateway)
    // An app asks its backend for a token here. This sample has one alone: refused, it is given again, and the client stops.
    let client = BelfryClient(configuration) { _ in token }
    let store: any PushStore =
      if let directory = configuration.cacheDirectory { FilePushStore(directory: directory) } else { MemoryPushStore() }
    let pushes = Pushes(client, system: system, store: store, clock: configuration.clock)
    let account = Account(client, pushes: pushes)
    self.account = account
    began(account)
  }
}
