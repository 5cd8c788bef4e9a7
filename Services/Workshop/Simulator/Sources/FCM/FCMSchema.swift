/// Every field that `messages:send` knows.
///
/// Source: https://firebase.google.com/docs/reference/fcm/rest/v1/projects.messages
enum FCMSchema {
  static let request: [String: FCMField] = [
    "message": .message(message),
    "validate_only": .boolean,
  ]

  static let message: [String: FCMField] = [
    "name": .string,
    "data": .stringMap,
    "notification": .message(["title": .string, "body": .string, "image": .string]),
    "android": .message(android),
    "webpush": .message(webpush),
    "apns": .message(apns),
    "fcm_options": .message(["analytics_label": .string]),
    "fid": .string,
    "token": .string,
    "topic": .string,
    "condition": .string,
  ]

  private static let android: [String: FCMField] = [
    "collapse_key": .string,
    "priority": .enumeration(["NORMAL", "HIGH"]),
    "ttl": .duration,
    "restricted_package_name": .string,
    "data": .stringMap,
    "notification": .message(androidNotification),
    "fcm_options": .message(["analytics_label": .string]),
    "direct_boot_ok": .boolean,
    "bandwidth_constrained_ok": .boolean,
    "restricted_satellite_ok": .boolean,
  ]

  private static let androidNotification: [String: FCMField] = [
    "title": .string,
    "body": .string,
    "icon": .string,
    "color": .string,
    "sound": .string,
    "tag": .string,
    "click_action": .string,
    "body_loc_key": .string,
    "body_loc_args": .list(.string),
    "title_loc_key": .string,
    "title_loc_args": .list(.string),
    "channel_id": .string,
    "ticker": .string,
    "sticky": .boolean,
    "event_time": .timestamp,
    "local_only": .boolean,
    "notification_priority": .enumeration([
      "PRIORITY_UNSPECIFIED", "PRIORITY_MIN", "PRIORITY_LOW", "PRIORITY_DEFAULT", "PRIORITY_HIGH", "PRIORITY_MAX",
    ]),
    "default_sound": .boolean,
    "default_vibrate_timings": .boolean,
    "default_light_settings": .boolean,
    "vibrate_timings": .list(.duration),
    "visibility": .enumeration(["VISIBILITY_UNSPECIFIED", "PRIVATE", "PUBLIC", "SECRET"]),
    "notification_count": .integer,
    "light_settings": .message([
      "color": .message(["red": .number, "green": .number, "blue": .number, "alpha": .number]),
      "light_on_duration": .duration,
      "light_off_duration": .duration,
    ]),
    "image": .string,
    "bypass_proxy_notification": .boolean,
    "proxy": .enumeration(["PROXY_UNSPECIFIED", "ALLOW", "DENY", "IF_PRIORITY_LOWERED"]),
  ]

  private static let webpush: [String: FCMField] = [
    "headers": .stringMap,
    "data": .stringMap,
    "notification": .freeForm,
    "fcm_options": .message(["link": .string, "analytics_label": .string]),
  ]

  private static let apns: [String: FCMField] = [
    "headers": .stringMap,
    "payload": .freeForm,
    "fcm_options": .message(["analytics_label": .string, "image": .string]),
    "live_activity_token": .string,
  ]
}
