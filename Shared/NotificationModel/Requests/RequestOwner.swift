/// Whose request something is, as its messages and rows say it: in one optional text.
///
/// Who asks is a caller's name, or nil for an admin, and no owner: see ``belongs(to:)``.
public enum RequestOwner: Hashable, Sendable {
  /// The subject of the sender's token, or the sender's `app-id`.
  case named(String)
  /// Every sender's, for its own gave no name. The empty text.
  case anybody
  /// Nobody is named, as for what rules and digests send, and for what earlier versions accepted: an admin's. No text.
  ///
  /// A withdrawal that was asked for before anything was stored counts for it, whoever asked: nobody knows better.
  case unknown

  public init(_ text: String?) {
    self = text.map { $0.isEmpty ? .anybody : .named($0) } ?? .unknown
  }

  public var text: String? {
    switch self {
    case .named(let name): name
    case .anybody: ""
    case .unknown: nil
    }
  }

  /// Whether a caller may know of it, and withdraw it.
  ///
  /// - Parameter caller: Nil is an admin, who may know of all.
  public func belongs(to caller: String?) -> Bool {
    guard let caller else { return true }
    return self == .anybody || self == .named(caller)
  }
}
