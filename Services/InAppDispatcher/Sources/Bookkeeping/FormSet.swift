import SignalRProtocol

/// Which forms of messages are wanted: a ``WireForm`` on a ``HubPath``.
struct FormSet: OptionSet, Sendable {
  let rawValue: UInt16

  init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  init(_ form: WireForm, _ path: HubPath) {
    rawValue = 1 << UInt16(Self.index(form, path))
  }

  /// What these connections take.
  init(_ recipients: some Sequence<Addressee>) {
    rawValue = recipients.reduce(0) { $0 | 1 << UInt16($1.subscription.form) }
  }

  static let count = WireForm.allCases.count * HubPath.allCases.count

  /// Whether some form of the set is JSON.
  var needsJSON: Bool { needs(.json) }
  var needsMessagePack: Bool { needs(.messagePack) }

  private static let json = all(.json)
  private static let messagePack = all(.messagePack)

  private func needs(_ hubProtocol: HubProtocol) -> Bool {
    !isDisjoint(with: hubProtocol.isBinary ? Self.messagePack : Self.json)
  }

  private static func all(_ hubProtocol: HubProtocol) -> FormSet {
    var all = FormSet()
    for path in HubPath.allCases {
      for form in WireForm.allCases where form.hubProtocol == hubProtocol { all.formUnion(FormSet(form, path)) }
    }
    return all
  }

  /// A form's place in ``EncodedEvent``.
  static func index(_ form: WireForm, _ path: HubPath) -> Int {
    path == .notifications ? form.rawValue : form.rawValue + WireForm.allCases.count
  }
}
