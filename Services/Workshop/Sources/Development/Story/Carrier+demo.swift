import NotificationModel

/// A push provider, as the demo names it and its simulator has it.
extension DevicePlatform.Carrier {
  /// Within a sentence.
  var service: String {
    switch self {
    case .fcm: "FCM"
    case .apns: "APNs"
    case .webPush: "the push service"
    }
  }

  /// Of a switch, and in tables.
  var label: String {
    switch self {
    case .fcm: "FCM"
    case .apns: "APNs"
    case .webPush: "Web Push"
    }
  }

  /// The last part of the path below `/api/` at which the simulator lists what its service took.
  var list: String {
    switch self {
    case .fcm: "pushes"
    case .apns: "apns"
    case .webPush: "webpush"
    }
  }

  /// `match.channel` of the simulator's faults.
  var faultChannel: String {
    switch self {
    case .fcm: "push"
    case .apns: "apns"
    case .webPush: "webpush"
    }
  }
}
