extension FCMFailure {
  // MARK: Found by validation

  /// The body is not JSON.
  static func malformed(_ reason: String) -> FCMFailure {
    FCMFailure(
      httpStatus: 400,
      status: "INVALID_ARGUMENT",
      message: "Invalid JSON payload received. \(reason)."
    )
  }

  /// The JSON does not fit the API's types: refused before FCM itself sees it, hence without an FCM code.
  static func invalidJSON(at field: String, _ description: String) -> FCMFailure {
    FCMFailure(
      httpStatus: 400,
      status: "INVALID_ARGUMENT",
      message: description,
      violations: [Violation(field: field, description: description)]
    )
  }

  /// FCM does not accept a value.
  static func invalidArgument(_ field: String, _ description: String) -> FCMFailure {
    FCMFailure(
      httpStatus: 400,
      status: "INVALID_ARGUMENT",
      message: description,
      errorCode: "INVALID_ARGUMENT",
      violations: [Violation(field: field, description: description)]
    )
  }

  static let missingCredentials = FCMFailure(
    httpStatus: 401,
    status: "UNAUTHENTICATED",
    message:
      "Request is missing required authentication credential. Expected OAuth 2 access token, login cookie or other"
      + " valid authentication credential. See"
      + " https://developers.google.com/identity/sign-in/web/devconsole-project.",
    reason: "CREDENTIALS_MISSING"
  )

  static let invalidCredentials = FCMFailure(
    httpStatus: 401,
    status: "UNAUTHENTICATED",
    message:
      "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid"
      + " authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.",
    reason: "ACCESS_TOKEN_EXPIRED"
  )

  static func wrongProject(_ project: String, permission: String) -> FCMFailure {
    FCMFailure(
      httpStatus: 403,
      status: "PERMISSION_DENIED",
      message: "Permission '\(permission)' denied on resource"
        + " '//cloudresourcemanager.googleapis.com/projects/\(project)' (or it may not exist).",
      reason: "IAM_PERMISSION_DENIED"
    )
  }

  static let unknownPath = FCMFailure(
    httpStatus: 404,
    status: "NOT_FOUND",
    message: "The requested URL was not found on this server."
  )

  // MARK: Topic subscriptions

  static let subscriptionExists = FCMFailure(
    httpStatus: 409,
    status: "ALREADY_EXISTS",
    message: "Requested entity already exists"
  )

  static let subscriptionMissing = FCMFailure(
    httpStatus: 404,
    status: "NOT_FOUND",
    message: "Requested entity was not found."
  )

  // MARK: Injected

  static let unregistered = FCMFailure(
    httpStatus: 404,
    status: "NOT_FOUND",
    message: "Requested entity was not found.",
    errorCode: "UNREGISTERED"
  )

  static let senderMismatch = FCMFailure(
    httpStatus: 403,
    status: "PERMISSION_DENIED",
    message: "SenderId mismatch",
    errorCode: "SENDER_ID_MISMATCH"
  )

  static let thirdPartyAuthentication = FCMFailure(
    httpStatus: 401,
    status: "UNAUTHENTICATED",
    message: "Auth error from APNS or Web Push Service",
    errorCode: "THIRD_PARTY_AUTH_ERROR"
  )

  static let invalidToken = FCMFailure.invalidArgument(
    "message.token",
    "The registration token is not a valid FCM registration token"
  )

  static let quotaExceeded = FCMFailure(
    httpStatus: 429,
    status: "RESOURCE_EXHAUSTED",
    message: "Quota exceeded for quota metric 'Send requests' and limit 'Send requests per minute' of service"
      + " 'fcm.googleapis.com'.",
    errorCode: "QUOTA_EXCEEDED"
  )

  static let internalError = FCMFailure(
    httpStatus: 500,
    status: "INTERNAL",
    message: "Internal error encountered.",
    errorCode: "INTERNAL"
  )

  static let unavailable = FCMFailure(
    httpStatus: 503,
    status: "UNAVAILABLE",
    message: "The service is currently unavailable.",
    errorCode: "UNAVAILABLE"
  )

  /// Any other status, as a layer in front of FCM might answer it.
  static func other(_ httpStatus: Int) -> FCMFailure {
    FCMFailure(httpStatus: httpStatus, status: "UNKNOWN", message: "Injected status \(httpStatus).")
  }

  func retrying(after seconds: Int?) -> FCMFailure {
    var failure = self
    failure.retryAfter = seconds
    return failure
  }
}
