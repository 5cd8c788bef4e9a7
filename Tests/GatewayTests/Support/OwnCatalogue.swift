import NotificationModel

/// Catalogues that begin with nothing.
enum OwnCatalogue {
  static let head = "version: 1\nbuiltIn: false\n"
  static let empty = Result { try Catalogue(overrides: head) }

  /// A shop's: two types, an event that a rule listens to, one that is only relayed.
  static let shop = Result {
    try Catalogue(
      overrides: head + """
        defaults: { channels: { inApp: true, push: true }, priority: normal, timeToLiveDays: 7, title: T, body: B }
        types:
        - { code: 1, name: OrderShipped, category: Orders, title: "{{order}} is on its way", body: "From {{shop}}" }
        - { code: 2, name: PriceFell, category: Offers, channels: { inApp: true } }
        events:
        - { name: OrderPacked, relay: false }
        - { name: StockChanged, arguments: [product, left] }
        rules:
        - { name: shipped, on: OrderPacked, user: "{{buyer}}", notify: OrderShipped, data: { order: "{{order}}", shop: Ours } }
        schedules: [{ name: offers, type: PriceFell, recurrence: FREQ=WEEKLY, time: "09:00" }]
        settings: [{ name: priceLimit, type: number, minimum: 0, maximum: 100, default: 5 }]
        """
    )
  }

  /// What the older app's switches are about, declared by an operator.
  static let switches = Result {
    try Catalogue(
      overrides: head + """
        defaults: { channels: { inApp: true, push: true }, priority: normal, timeToLiveDays: 7, title: T, body: B }
        types:
        - { code: 1, name: Spent, category: Balance & Transactions }
        - { code: 2, name: LowBalanceWarning, category: Balance & Transactions }
        - { code: 3, name: Paid, category: Allowance }
        - { code: 4, name: Done, category: Tasks }
        - { code: 5, name: Reached, category: Goals & Savings }
        settings: [{ name: lowBalanceThreshold, type: number, minimum: 0, maximum: 100, default: 5 }]
        """
    )
  }
}
