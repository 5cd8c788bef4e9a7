/// Where a connection that receives events is, and how it takes them.
struct Subscription: Sendable {
  let loop: UInt8
  /// By ``FormSet/index(_:_:)``.
  let form: UInt8
  let slot: Slot
}

/// One of the connections of somebody who is to be sent something.
struct Addressee: Sendable {
  /// Index of the user among those who were asked for.
  let user: Int
  let subscription: Subscription
}
