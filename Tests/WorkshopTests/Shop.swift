/// An operator's catalogue.
enum Shop {
  static let yaml = """
    version: 1
    defaults:
      channels: { inApp: true, push: true }
      priority: normal
      timeToLiveDays: 7
      title: Notification
      body: You have a new notification
    categories:
      - { name: Orders }
    types:
      - code: 2001
        name: OrderShipped
        category: Orders
        title: "Order {{orderNumber}} is on its way"
        body: "{{#carrier}}With {{.}} from {{town}}{{/carrier}}{{^carrier}}It costs {{price}}{{/carrier}}"
      - code: 2002
        name: NewsOfTheShop
        category: Orders
        channels: { email: true }
        title: News
        body: "See what is new"
        digest: { channel: email, every: 1d, title: News, body: "{{count}} news" }
    events:
      - { name: OrderPlaced, relay: false }
    rules:
      - name: order-placed
        on: OrderPlaced
        user: "{{customer.id}}"
        data: { orderNumber: "{{order.number}}", price: "{{order.total}}", carrier: "{{carrier?}}", town: "{{town?}}" }
        notify: { type: OrderShipped, to: { group: "shop:{{shop}}" } }

    """
}
