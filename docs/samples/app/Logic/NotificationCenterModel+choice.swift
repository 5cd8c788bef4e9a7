import BelfryClient

/// What the user chooses above the list: a tab, and a category within it.
extension NotificationCenterModel {
  /// The id of the tab that is shown; setting it keeps the category.
  var tab: NotificationTab.ID {
    get {
      var filter = filter
      filter.category = nil
      return tabs.first { $0.filter == filter }?.id ?? ""
    }
    set {
      guard var filter = tabs.first(where: { $0.id == newValue })?.filter else { return }
      filter.category = category
      self.filter = filter
    }
  }

  /// The heading of a category; nil for all.
  var category: String? {
    get { filter.category }
    set { filter.category = newValue }
  }
}
