import WallClock

extension Channel {
  public static let email = Channel(rawValue: 3)
}

/// Email: to the profile's address, unless it is known to be of no use.
struct EmailRouting: RoutingChannel {
  var channel: Channel { .email }
  var name: String { "email" }
  var hasQueue: Bool { true }
  var streams: [MailStream] { MailStream.allCases }
  var attention: Attention { .later }
  var address: AddressField? {
    AddressField(
      member: "email",
      limit: 254,
      problem: "expected an address such as ann@example.org",
      isPlausible: MailAddress.isPlausible
    )
  }

  func objection(to recipient: Recipient) -> SkipReason? {
    if recipient.email == nil { return .noEmailAddress }
    return recipient.isEmailSuppressed ? .emailSuppressed : nil
  }

  func targets(of recipient: Recipient) -> [DeliveryTarget] {
    guard let address = recipient.email else { return [] }
    return [
      DeliveryTarget(
        id: address,
        address: address,
        name: recipient.displayName,
        locale: recipient.locale,
        zone: recipient.zone?.identifier
      )
    ]
  }
}
