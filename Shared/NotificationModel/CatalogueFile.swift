import Yams

/// What one catalogue file says, checked by itself.
struct CatalogueFile {
  let types: [NotificationType]
  let events: [EventType]

  /// - Throws: ``CatalogueError`` naming the source, the entry and what is wrong with it.
  init(yaml: String, source: String) throws(CatalogueError) {
    let content: Content
    let problem: String?
    do {
      content = try YAMLDecoder().decode(Content.self, from: yaml)
      problem = try CatalogueKeys.problem(in: yaml)
    } catch {
      throw CatalogueError("\(source): \(error)")
    }
    if let problem { throw CatalogueError("\(source): \(problem)") }
    guard content.version == 1 else { throw CatalogueError("\(source): version \(content.version) is not 1") }
    guard content.types != nil || content.events != nil else {
      throw CatalogueError("\(source): neither types nor events")
    }
    do throws(CatalogueError) {
      types = try Self.types(of: content)
      events = try Self.events(of: content)
    } catch {
      throw CatalogueError("\(source): \(error)")
    }
  }

  private static func types(of content: Content) throws(CatalogueError) -> [NotificationType] {
    guard let entries = content.types, !entries.isEmpty else { return [] }
    guard let defaults = content.defaults else { throw CatalogueError("'defaults' is missing") }
    var codes = Set<Int>()
    return try entries.map { entry throws(CatalogueError) in
      guard codes.insert(entry.code).inserted else { throw CatalogueError("two types have the code \(entry.code)") }
      let days = entry.timeToLiveDays ?? defaults.timeToLiveDays
      guard (1...32_767).contains(entry.code), !entry.name.isEmpty, (1...36_500).contains(days) else {
        throw CatalogueError("type \(entry.code): code 1…32767, a name, timeToLiveDays 1…36500 needed")
      }
      return NotificationType(
        code: entry.code,
        name: entry.name,
        category: entry.category,
        channels: entry.channels ?? defaults.channels,
        priority: entry.priority ?? defaults.priority,
        timeToLive: days * 86_400,
        template: try NotificationTemplate(title: entry.title ?? defaults.title, body: entry.body ?? defaults.body)
      )
    }
  }

  private static func events(of content: Content) throws(CatalogueError) -> [EventType] {
    var names = Set<String>()
    return try (content.events ?? []).map { entry throws(CatalogueError) in
      guard names.insert(entry.name.lowercased()).inserted else {
        throw CatalogueError("two events are named \(entry.name)")
      }
      return try EventType(name: entry.name, arguments: entry.arguments ?? [])
    }
  }

  private struct Content: Decodable {
    struct Defaults: Decodable {
      var channels: PerChannel<Bool>
      var priority: NotificationType.Priority
      var timeToLiveDays: Int
      var title: String
      var body: String
    }

    struct Entry: Decodable {
      var code: Int
      var name: String
      var category: String
      var channels: PerChannel<Bool>?
      var priority: NotificationType.Priority?
      var timeToLiveDays: Int?
      var title: String?
      var body: String?
    }

    struct Event: Decodable {
      var name: String
      var arguments: [String]?
    }

    var version: Int
    var defaults: Defaults?
    var types: [Entry]?
    var events: [Event]?
  }
}
