/// What `belfry init` writes: a small catalogue of one's own, with comments that teach.
enum StarterCatalogue {
  static let text = #"""
    # Your catalogue: what your app notifies people of, and in which words.
    #
    #   belfry catalogue check catalogue.yaml    finds mistakes, each with its line
    #   belfry catalogue diff catalogue.yaml     says what it would change, and for how many people
    #   belfry catalogue apply catalogue.yaml    puts it in force, without a restart
    version: 1

    # Only what stands in this file is in force. Without this line Belfry's built-in types, rules and events are there as well.
    builtIn: false

    # The language of texts that name none. Two languages are written { en: "Hello {{name}}", de: "Hallo {{name}}" }.
    defaultLocale: en

    # What holds for types that say nothing themselves. All five are needed.
    defaults:
      channels: { inApp: true, push: true, email: false }
      priority: normal
      timeToLiveDays: 30
      title: News
      body: There is something new

    # The headings under which people find your types in their preferences, with the channels that are on until they choose.
    categories:
      - name: Orders
        channels: { inApp: true, push: true, email: true }

    # A type is a kind of notification. Its code is stored with each notification: never use one for something else.
    types:
      # Your backend sends it: POST /api/v1/notifications, or `belfry send`. {{order}} is filled in from the request's data, and a
      # request without it is refused. |date writes a date as the reader does.
      - code: 1
        name: OrderShipped
        category: Orders
        title: Your order is on its way
        body: "{{carrier}} brings order {{order}} on {{day|date}}."
        # Data for previews and checks.
        example: { order: "1042", carrier: Parcel Post, day: "2026-12-01" }

      # The rule below sends it. It says what quiet hours do to it, and that a mail follows only if it is unread after an hour.
      - code: 2
        name: OrderDelayed
        category: Orders
        priority: high
        quietHours: defer
        wait: { email: 1h }
        title: Order {{order}} is late
        body: "It comes {{days|inDays}}{{#reason}}: {{.}}{{/reason}}."
        example: { order: "1042", days: "3", reason: snow on the roads }

    # What your backend reports as having happened: POST /api/v1/events. The check finds what payload does not have. relay: false
    # keeps it from open connections.
    events:
      - name: DeliveryDelayed
        payload: [customerId, order, days, reason]
        relay: false

    # What follows from an event. Here: who ordered hears the first time that an order is delayed, and not again for the same order.
    rules:
      - name: order-delayed
        on: DeliveryDelayed
        user: "{{customerId}}"
        key: "{{order}}"
        when: first
        data: { order: "{{order}}", days: "{{days}}", reason: "{{reason?}}" }
        about: { type: Order, id: "{{order}}" }
        notify: OrderDelayed

    """#
}
