import NotificationStore

extension CatalogueVersionController {
  /// Changes on a page.
  private static let maximumChanges = 2_000
  private static let readAtOnce = 10

  /// Ends before the page is full where versions have very many changes; it has one version at least.
  func page(
    after: Int?,
    pageSize: Int
  ) async throws -> (versions: [CatalogueVersion.Summary], hasMore: Bool) {
    var page: [CatalogueVersion.Summary] = []
    var (changes, hasMore) = (0, true)
    while hasMore, page.count < pageSize {
      let limit = min(pageSize - page.count, Self.readAtOnce)
      let found = try await versions.versions(after: page.last?.number ?? after, limit: limit + 1)
      hasMore = found.count > limit
      for version in found.prefix(limit) {
        changes += version.changes.count
        guard page.isEmpty || changes <= Self.maximumChanges else { return (page, true) }
        page.append(version)
      }
    }
    return (page, hasMore)
  }
}
