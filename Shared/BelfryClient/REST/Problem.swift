import BelfryJSON

/// Problem details of the server (RFC 9457). Source: `Problem` of `openapi.yaml`.
public struct Problem: Sendable, Equatable {
  /// What is wrong with a field.
  public struct FieldError: Sendable, Equatable {
    /// Its path, such as `preferences[2].notificationType`; empty for the body itself.
    public let field: String
    /// In English, for developers.
    public let message: String
  }

  /// What kind of problem, such as `urn:belfry:problem:validation`.
  public let type: String
  /// The kind in words.
  public let title: String
  /// Of the HTTP answer.
  public let status: Int
  /// What happened this time; nil where the server does not say.
  public let detail: String?
  /// What is wrong with which field; empty where it is about none.
  public let errors: [FieldError]

  /// Nil for what is no problem document; at most 100 errors are kept.
  init?(_ json: JSONValue, status: Int) {
    guard let type = json["type"]?.string, let title = json["title"]?.string else { return nil }
    self.type = type.bounded
    self.title = title.bounded
    self.status = json["status"]?.integer ?? status
    detail = json["detail"]?.string?.bounded
    errors = (json["errors"]?.array ?? []).prefix(100).compactMap { error in
      guard let field = error["field"]?.string, let message = error["message"]?.string else { return nil }
      return FieldError(field: field.bounded, message: message.bounded)
    }
  }
}
