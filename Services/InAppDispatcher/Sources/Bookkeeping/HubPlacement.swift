import NotificationModel
public import NotificationQueue

/// Which users' connections belong to this node, and where the others' belong.
public struct HubPlacement: Sendable {
  /// A node's shards and its public URL without a path, e.g. `https://hub-2.example`.
  public struct Node: Sendable, Equatable {
    public var shards: Set<Int>
    public var url: String

    public init(shards: Set<Int>, url: String) {
      self.shards = shards
      self.url = url
    }
  }

  /// Shards whose events this node receives.
  public var shards: Set<Int>
  /// Where clients reach exactly this node; empty if what they negotiate with is this node already.
  public var publicURL: String
  /// Who serves the other shards.
  public var others: [Node]

  public init(shards: Set<Int> = Set(0..<Shard.count), publicURL: String = "", others: [Node] = []) {
    self.shards = shards
    self.publicURL = publicURL
    self.others = others
  }

  enum Destination: Equatable {
    case here
    /// The client is to go there, with its path.
    case elsewhere(url: String)
    case unknown
  }

  /// Whether this node receives the user's events.
  func serves(_ user: UserID) -> Bool { shards.contains(Shard.of(user).number) }

  /// Where a user's client has to connect.
  ///
  /// - Parameter isRedirected: The client was sent here by a node; it is sent on to nobody.
  func destination(of user: UserID, isRedirected: Bool) -> Destination {
    let shard = Shard.of(user).number
    if shards.contains(shard) {
      return isRedirected || publicURL.isEmpty ? .here : .elsewhere(url: publicURL)
    }
    guard !isRedirected, let node = others.first(where: { $0.shards.contains(shard) }) else { return .unknown }
    return .elsewhere(url: node.url)
  }
}
