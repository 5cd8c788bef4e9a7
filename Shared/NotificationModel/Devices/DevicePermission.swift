/// What became of the system's question whether notifications may be shown. The codes are stored; they never change meaning.
public enum DevicePermission: Int, Sendable, CaseIterable {
  case requested = 1
  case granted = 2
  case denied = 3

  /// - Parameter name: As in the API: `requested`, `granted`, `denied`.
  public init?(name: String) {
    guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = found
  }

  public var name: String {
    switch self {
    case .requested: "requested"
    case .granted: "granted"
    case .denied: "denied"
    }
  }
}
