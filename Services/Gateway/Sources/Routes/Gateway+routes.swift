extension Gateway {
  /// Every route of the REST API: from this table the router is built, access is checked, and 405 is answered. A route whose types
  /// the catalogue lacks is left out; see ``absentPaths(_:)``.
  static func routes(_ dependencies: GatewayDependencies) -> [Route] {
    let routes: [[Route]] = [
      APIKeyController(dependencies).routes,
      AuditController(dependencies).routes,
      BellController(dependencies).routes,
      BounceController(dependencies).routes,
      BulkController(dependencies).routes,
      CatalogueController(dependencies).routes,
      CatalogueVersionController(dependencies).routes,
      CoarseSettingsController(dependencies).routes,
      DeadLetterController(dependencies).routes,
      DeliveryController(dependencies).routes,
      DescriptionController(dependencies).routes,
      DeviceController(dependencies).routes,
      EngagementController(dependencies).routes,
      ErasureController(dependencies).routes,
      EventController(dependencies).routes,
      ExplainController(dependencies).routes,
      ExportController(dependencies).routes,
      GroupController(dependencies).routes,
      HealthController(dependencies).routes,
      InboxController(dependencies).routes,
      InboxOperationController(dependencies).routes,
      MutesController(dependencies).routes,
      PreferencesController(dependencies).routes,
      PreviewController(dependencies).routes,
      ReceiptController(dependencies).routes,
      RequestController(dependencies).routes,
      ScheduleController(dependencies).routes,
      SendController(dependencies).routes,
      StatController(dependencies).routes,
      SuppressionController(dependencies).routes,
      TestController(dependencies).routes,
      TopicController(dependencies).routes,
      UnsubscribeController(dependencies).routes,
      UserController(dependencies).routes,
    ]
    return routes.flatMap(\.self)
  }
}
