import Foundation

/// What is kept of this installation's registrations. It has no address, no token and nothing else that is secret.
struct RegistrationRecord: Sendable, Equatable, Codable {
  /// How many users' deletions wait at most; beyond it the oldest are given up.
  static let maximumPending = 20
  /// The name in the ``PushStore``.
  static let name = "registration"

  /// An address as it was sent.
  struct Sent: Sendable, Equatable, Codable {
    /// Of all that was sent with it, and of whose it was.
    var content: StableHash
    var address: StableHash
    var at: Date
    /// Nil until the server has answered.
    var device: UUID?
  }

  /// The devices of this installation that a user left behind.
  struct Deletion: Sendable, Equatable, Codable {
    /// Nil where the token did not say whose it was.
    let user: String?
    var addresses: [StableHash]
    let at: Date
  }

  /// The app's own UUID, made once.
  let installation: UUID
  var user: String?
  /// By kinds of addresses.
  private(set) var sent: [String: Sent] = [:]
  private(set) var deletions: [Deletion] = []
  /// What the user answered, until it is reported.
  private(set) var permissions: [String] = []

  init(installation: UUID = UUID()) {
    self.installation = installation
  }

  /// One of the devices that are registered.
  var device: UUID? {
    sent.values.filter { $0.device != nil }.max { $0.at < $1.at }?.device
  }

  /// Whether an address is to be sent: anything of it changed, the last answer is missing, or it is long ago.
  func isDue(_ kind: PushAddress.Kind, _ content: StableHash, now: Date, refresh: Duration) -> Bool {
    guard let sent = sent[kind.rawValue], sent.content == content, sent.device != nil else { return true }
    // A clock that was set back must not put it off.
    return !(0..<refresh.inSeconds).contains(now.timeIntervalSince(sent.at))
  }

  /// Before it is sent: its answer may be lost.
  mutating func begin(_ address: PushAddress, _ content: StableHash, user: String?, now: Date) {
    self.user = user
    sent[address.kind.rawValue] = Sent(content: content, address: address.digest, at: now)
  }

  /// The server has it. An address belongs to one user: whoever left it behind does not have it any more.
  mutating func finish(_ address: PushAddress, device: UUID) {
    sent[address.kind.rawValue]?.device = device
    for index in deletions.indices { deletions[index].addresses.removeAll { $0 == address.digest } }
    deletions.removeAll { $0.addresses.isEmpty }
  }

  /// The user goes: what is registered is to be deleted.
  mutating func leave(now: Date) {
    if sent.isEmpty { return }
    deletions.append(
      Deletion(user: user, addresses: sent.values.map(\.address).sorted { $0.value < $1.value }, at: now)
    )
    deletions.removeFirst(max(0, deletions.count - Self.maximumPending))
    (sent, user, permissions) = ([:], nil, [])
  }

  func isDeletionPending(of user: String?) -> Bool { deletions.contains { $0.user == user } }

  mutating func deleted(user: String?) {
    deletions.removeAll { $0.user == user }
  }

  mutating func answer(_ permission: DevicePermission) {
    permissions.removeAll { $0 == permission.rawValue }
    permissions.append(permission.rawValue)
  }

  mutating func reported(_ permission: String) {
    permissions.removeAll { $0 == permission }
  }
}
