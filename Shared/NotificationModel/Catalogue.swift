import Foundation
import Yams

/// Every notification type Belfry knows: data, not code.
///
/// The built-in catalogue (catalogue.yaml beside this file) holds the types of the push notification specification; an
/// operator's file of the same form adds types or replaces those with the same code.
public struct Catalogue: Sendable {
  /// All types by ascending code.
  public let types: [NotificationType]
  private let byCode: [Int: NotificationType]
  private let byName: [String: NotificationType]

  /// How a request names a type.
  public enum Reference: Sendable, Equatable, CustomStringConvertible {
    case code(Int)
    /// Matched without regard to case.
    case name(String)

    public var description: String {
      switch self {
      case .code(let code): String(code)
      case .name(let name): "'\(name.prefix(64))'"
      }
    }
  }

  /// The built-in catalogue, overridden by `overrides` (YAML) where given.
  ///
  /// - Throws: ``CatalogueError`` naming the entry and what is wrong with it.
  public init(overrides: String? = nil) throws(CatalogueError) {
    let builtIn = try Self.read(String(decoding: PackageResources.catalogue_yaml, as: UTF8.self), source: "built-in")
    let own = try overrides.map { text throws(CatalogueError) in try Self.read(text, source: "catalogue file") } ?? []
    var types: [Int: NotificationType] = [:]
    for type in builtIn { types[type.code] = type }
    for type in own { types[type.code] = type }
    byCode = types
    self.types = types.values.sorted { $0.code < $1.code }
    var names: [String: NotificationType] = [:]
    for type in self.types {
      if let other = names.updateValue(type, forKey: type.name.lowercased()) {
        throw CatalogueError("types \(other.code) and \(type.code) are both named \(type.name)")
      }
    }
    byName = names
  }

  /// Answers the type, or nil if the catalogue has none such.
  public func type(_ reference: Reference) -> NotificationType? {
    switch reference {
    case .code(let code): byCode[code]
    case .name(let name): byName[name.lowercased()]
    }
  }

  private static func read(_ yaml: String, source: String) throws(CatalogueError) -> [NotificationType] {
    let file: File
    let unknown: String?
    do {
      file = try YAMLDecoder().decode(File.self, from: yaml)
      unknown = try CatalogueKeys.firstUnknown(in: yaml)
    } catch {
      throw CatalogueError("\(source): \(error)")
    }
    if let unknown { throw CatalogueError("\(source): '\(unknown)' is not a known key") }
    guard file.version == 1 else { throw CatalogueError("\(source): version \(file.version) is not 1") }
    var codes = Set<Int>()
    return try file.types.map { entry throws(CatalogueError) in
      guard codes.insert(entry.code).inserted else {
        throw CatalogueError("\(source): two types have the code \(entry.code)")
      }
      let days = entry.timeToLiveDays ?? file.defaults.timeToLiveDays
      guard (1...32_767).contains(entry.code), !entry.name.isEmpty, (1...36_500).contains(days) else {
        throw CatalogueError("\(source): type \(entry.code): code 1…32767, a name, timeToLiveDays 1…36500 needed")
      }
      return NotificationType(
        code: entry.code,
        name: entry.name,
        category: entry.category,
        channels: entry.channels ?? file.defaults.channels,
        priority: entry.priority ?? file.defaults.priority,
        timeToLive: days * 86_400,
        template: try NotificationTemplate(
          title: entry.title ?? file.defaults.title,
          body: entry.body ?? file.defaults.body
        )
      )
    }
  }

  private struct File: Decodable {
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

    var version: Int
    var defaults: Defaults
    var types: [Entry]
  }
}

/// What is wrong with a catalogue, in words for its author.
public struct CatalogueError: Error, CustomStringConvertible {
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}
