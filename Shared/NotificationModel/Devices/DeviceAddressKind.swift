/// What the text is by which FCM reaches a device. Stored and sent to dispatchers: the codes never change meaning.
public enum DeviceAddressKind: Int, Sendable, CaseIterable {
  /// A registration token; also everything that is not FCM's.
  case token = 1
  /// An installation id (`fid`), which replaces the token `<fid>:…` of the same installation.
  case installation = 2

  /// Name in JSON: that of the member in which a registration has it.
  public var name: String {
    switch self {
    case .token: "token"
    case .installation: "fid"
    }
  }
}
