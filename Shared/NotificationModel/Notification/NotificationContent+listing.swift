import BelfryJSON

extension NotificationContent {
  /// Several notifications in a mail that delivers them as one.
  public struct Listing: Sendable, Equatable {
    public struct Item: Sendable, Equatable {
      public var title: String
      /// Its beginning.
      public var body: String
    }

    /// The first of them.
    public private(set) var items: [Item] = []
    /// How many there are besides.
    public private(set) var more: Int

    /// More than one reads in a mail.
    static let maximumItems = 20
    /// Characters of a body.
    static let maximumBody = 200
    /// Bytes of all items: a message has room for them beside the longest text.
    static let maximumSize = 24 * 1_024

    /// - Parameter notifications: In their order.
    public init(_ notifications: some Collection<(title: String, body: String)>) {
      var size = 0
      for (title, body) in notifications.prefix(Self.maximumItems) {
        let item = Item(title: title, body: Self.beginning(of: body))
        size += item.title.utf8.count + item.body.utf8.count
        guard size <= Self.maximumSize else { break }
        items.append(item)
      }
      more = notifications.count - items.count
    }

    private static func beginning(of body: String) -> String {
      let line = body.prefix(2 * maximumBody).split(whereSeparator: \.isWhitespace).joined(separator: " ")
      return line.count > maximumBody ? line.prefix(maximumBody - 1) + "…" : line
    }
  }
}

/// The form in which it travels.
extension NotificationContent.Listing {
  init(_ fields: JSONFields) throws(JSONFieldError) {
    items = Array(
      try fields.objects("items") { (fields) throws(JSONFieldError) in
        Item(title: try fields.string("title"), body: try fields.string("body"))
      }.prefix(Self.maximumItems)
    )
    more = max(0, min(try fields.integer("more"), 1_000_000))
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.array("items") { writer in
        for item in items {
          writer.object { writer in
            writer.field("title", item.title)
            writer.field("body", item.body)
          }
        }
      }
      writer.field("more", more)
    }
  }

  /// Its texts.
  public var texts: [String] { items.flatMap { [$0.title, $0.body] } }
}
