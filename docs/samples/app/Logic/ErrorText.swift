import BelfryClient

extension BelfryError {
  /// What users read of it. Nothing of it comes from the server but the first field that it refused.
  var userText: String {
    switch code {
    case .offline: "You are offline."
    case .timeout, .unavailable: "The service cannot be reached now."
    case .rateLimited: "That was too much at once. Try again in a minute."
    case .malformed: "The network here does not let the app through."
    case .token, .unauthorized, .ended: "Sign in again."
    case .forbidden: "You may not do that."
    case .notFound: "That is not there any more."
    case .invalid: problem?.errors.first.map { "Not accepted: \($0.message)" } ?? "That was not accepted."
    case .full: "Too much is waiting to be sent. Try again when you are online."
    }
  }
}
