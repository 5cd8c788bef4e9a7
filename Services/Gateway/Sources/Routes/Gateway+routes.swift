extension Gateway {
  /// Every route of the REST API: from this table the router is built, access is checked, and 405 is answered.
  static func routes(_ parts: GatewayParts) -> [Route] {
    let routes: [[Route]] = [
      CatalogueController(parts).routes,
      CoarseSettingsController(parts).routes,
      DescriptionController(parts).routes,
      DeviceController(parts).routes,
      DirectoryController(parts).routes,
      EngagementController(parts).routes,
      EventController(parts).routes,
      ExplainController(parts).routes,
      HealthController(parts).routes,
      InboxActController(parts).routes,
      InboxController(parts).routes,
      MutesController(parts).routes,
      PreferencesController(parts).routes,
      RequestController(parts).routes,
      ScheduleController(parts).routes,
      SendController(parts).routes,
    ]
    return routes.flatMap(\.self)
  }
}
