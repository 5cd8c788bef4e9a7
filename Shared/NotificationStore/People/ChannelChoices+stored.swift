import NotificationModel

/// A row of `preferences`: it says something of every channel, and of which of them it was chosen.
extension ChannelChoices {
  private static let columns: [Channel] = [.inApp, .push, .email]

  /// - Parameter chosen: Bit 0 in-app, 1 push, 2 email.
  init(inApp: Bool, push: Bool, email: Bool, chosen: Int) {
    self.init(
      inApp: chosen & 1 == 0 ? nil : inApp,
      push: chosen & 2 == 0 ? nil : push,
      email: chosen & 4 == 0 ? nil : email
    )
  }

  /// The bits of those that were chosen.
  var chosen: Int16 {
    Self.columns.indices.reduce(0) { self[Self.columns[$1]] == nil ? $0 : $0 | 1 << Int16($1) }
  }
}
