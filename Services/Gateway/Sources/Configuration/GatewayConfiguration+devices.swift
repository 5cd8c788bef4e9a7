import Settings

extension GatewayConfiguration {
  static func vapidPublicKey(_ settings: Settings) -> VAPIDPublicKey {
    settings.value(
      "gateway.vapidPublicKey",
      default: VAPIDPublicKey.none,
      kind: "VAPID public key, 87 characters of base64url",
      "Public key with which browsers subscribe to pushes. Without this setting the gateway has no key to give to "
        + "browsers."
    )
  }

  static func allowsPrivateEndpoints(_ settings: Settings) -> Bool {
    settings.boolean(
      "gateway.privatePushEndpoints",
      default: false,
      "Whether BELFRY_PUSH_WEBPUSH_HOSTS may name hosts in private networks or on this machine: for a push service of your "
        + "own in there, and for development."
    )
  }
}
