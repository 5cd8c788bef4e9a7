import Foundation

/// Every notification type Belfry knows, and every event it relays: data, not code.
///
/// The built-in catalogue (catalogue.yaml beside this file) holds those of the push notification specification; an
/// operator's file of the same form adds types and events, or replaces types of the same code and events of the same name.
public struct Catalogue: Sendable {
  /// All types by ascending code.
  public let types: [NotificationType]
  /// All events by name.
  public let events: [EventType]
  private let byCode: [Int: NotificationType]
  private let byName: [String: NotificationType]
  private let eventsByName: [String: EventType]

  /// How a request names a type.
  public enum Reference: Sendable, Equatable, CustomStringConvertible {
    case code(Int)
    /// Matched without regard to case.
    case name(String)

    public var description: String {
      switch self {
      case .code(let code): String(code)
      case .name(let name): "'\(name.excerpt)'"
      }
    }
  }

  /// The built-in catalogue, overridden by `overrides` (YAML) where given.
  ///
  /// - Throws: ``CatalogueError`` naming the entry and what is wrong with it.
  public init(overrides: String? = nil) throws(CatalogueError) {
    var files = [
      try CatalogueFile(yaml: String(decoding: PackageResources.catalogue_yaml, as: UTF8.self), source: "built-in")
    ]
    if let overrides { files.append(try CatalogueFile(yaml: overrides, source: "catalogue file")) }
    var types: [Int: NotificationType] = [:]
    for type in files.flatMap(\.types) { types[type.code] = type }
    var events: [String: EventType] = [:]
    for event in files.flatMap(\.events) { events[event.name.lowercased()] = event }
    eventsByName = events
    self.events = events.values.sorted { $0.name < $1.name }
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

  /// Answers the event of that name, without regard to case, or nil if the catalogue has none such.
  public func event(_ name: String) -> EventType? { eventsByName[name.lowercased()] }
}

/// What is wrong with a catalogue, in words for its author.
public struct CatalogueError: Error, CustomStringConvertible {
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}
