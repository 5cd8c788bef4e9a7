import NotificationQueue
import Settings

extension HubPlacement {
  /// Reads `inapp.shards`, `inapp.publicUrl` and `inapp.others`.
  init(_ settings: Settings) {
    self.init()
    let own = settings.list(
      "inapp.shards",
      default: [],
      "Shards of users, 0 to \(Shard.count - 1), that this node serves, e.g. 0-3,6; empty means all."
    )
    publicURL = settings.string(
      "inapp.publicUrl",
      default: "",
      "Where clients reach exactly this node, e.g. https://hub-1.example, if they negotiate through a load balancer."
    )
    let others = settings.list(
      "inapp.others",
      default: [],
      "The nodes of the other shards, e.g. 4-7=https://hub-2.example; their users are sent there."
    )
    if !own.isEmpty { shards = Self.shards(own, of: "BELFRY_INAPP_SHARDS", settings) }
    if !publicURL.isEmpty { publicURL = Self.url(publicURL, of: "BELFRY_INAPP_PUBLIC_URL", settings) }
    self.others = others.compactMap { text in
      let parts = text.split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else {
        settings.problem("BELFRY_INAPP_OTHERS: '\(text)' is not of the form 4-7=https://hub-2.example")
        return nil
      }
      return Node(
        shards: Self.shards([String(parts[0])], of: "BELFRY_INAPP_OTHERS", settings),
        url: Self.url(String(parts[1]), of: "BELFRY_INAPP_OTHERS", settings)
      )
    }
  }

  private static func shards(_ texts: [String], of name: String, _ settings: Settings) -> Set<Int> {
    var shards = Set<Int>()
    for text in texts {
      let bounds = text.split(separator: "-").map { Int($0) }
      guard let first = bounds.first, let last = bounds.last, bounds.count <= 2, let first, let last,
        first <= last, (0..<Shard.count).contains(first), (0..<Shard.count).contains(last)
      else {
        settings.problem("\(name): '\(text)' is no shard or range of shards from 0 to \(Shard.count - 1)")
        continue
      }
      shards.formUnion(first...last)
    }
    return shards
  }

  private static func url(_ text: String, of name: String, _ settings: Settings) -> String {
    guard text.hasPrefix("https://") || text.hasPrefix("http://"), !text.contains("?"), !text.contains("#") else {
      settings.problem("\(name): '\(text)' is no URL such as https://hub-1.example")
      return text
    }
    return text.hasSuffix("/") ? String(text.dropLast()) : text
  }
}
