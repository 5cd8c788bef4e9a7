extension Gateway {
  /// Every route of the REST API: from this table the router is built, access is checked, and 405 is answered.
  static func routes(_ parts: GatewayDependencies) -> [Route] {
    let routes: [[Route]] = [
      APIKeyController(parts).routes,
      AuditController(parts).routes,
      BellController(parts).routes,
      BulkController(parts).routes,
      CatalogueController(parts).routes,
      CoarseSettingsController(parts).routes,
      DeadLetterController(parts).routes,
      DeliveryController(parts).routes,
      DescriptionController(parts).routes,
      DeviceController(parts).routes,
      EngagementController(parts).routes,
      ErasureController(parts).routes,
      EventController(parts).routes,
      ExplainController(parts).routes,
      ExportController(parts).routes,
      GroupController(parts).routes,
      HealthController(parts).routes,
      InboxController(parts).routes,
      InboxOperationController(parts).routes,
      MutesController(parts).routes,
      PreferencesController(parts).routes,
      PreviewController(parts).routes,
      RequestController(parts).routes,
      ScheduleController(parts).routes,
      SendController(parts).routes,
      StatController(parts).routes,
      TestController(parts).routes,
      UserController(parts).routes,
    ]
    return routes.flatMap(\.self)
  }
}
