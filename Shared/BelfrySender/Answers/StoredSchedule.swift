public import Foundation

/// A schedule as Belfry keeps it.
public struct StoredSchedule: Sendable, Equatable {
  /// Your own name for it.
  public let key: String
  /// Nil where a template has it.
  public let type: NotificationTypeReference?
  public let title: String?
  public let body: String?
  public let data: [String: DataValue]
  /// One of these four.
  public let sendAt: Date?
  public let recurrence: RecurrenceRule?
  public let due: LocalDate?
  public let template: String?
  public let time: LocalTime?
  public let timezone: String?
  /// The coming instants, at most five.
  public let next: [Date]
  /// False if ``next`` could have more: ask for this schedule alone.
  public let isNextComplete: Bool
  public let createdAt: Date
  public let updatedAt: Date
  /// The version, for ``ScheduleCondition/version(_:)``. Nil in lists.
  public internal(set) var version: String?
}

extension StoredSchedule: Decodable {
  private enum Member: String, CodingKey {
    case key, type, title, body, data, sendAt, recurrence, due, template, time, timezone, next, nextIsComplete
    case createdAt, updatedAt
  }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Member.self)
    func text(_ member: Member) throws -> String? { try members.decodeIfPresent(String.self, forKey: member) }
    key = try members.decode(String.self, forKey: .key)
    type = try members.decodeIfPresent(NotificationTypeReference.self, forKey: .type)
    title = try text(.title)
    body = try text(.body)
    let data = try members.decodeIfPresent([String: DataValue?].self, forKey: .data) ?? [:]
    self.data = data.compactMapValues(\.self)
    sendAt = try members.decodeIfPresent(Date.self, forKey: .sendAt)
    recurrence = try text(.recurrence).map { RecurrenceRule($0) }
    due = try text(.due).map { LocalDate($0) }
    template = try text(.template)
    time = try text(.time).map { LocalTime($0) }
    timezone = try text(.timezone)
    next = try members.decode([Date].self, forKey: .next)
    isNextComplete = try members.decode(Bool.self, forKey: .nextIsComplete)
    createdAt = try members.decode(Date.self, forKey: .createdAt)
    updatedAt = try members.decode(Date.self, forKey: .updatedAt)
  }
}

/// Some of a backend's schedules, in the order of their keys.
public struct SchedulePage: Sendable, Equatable, Decodable {
  public let schedules: [StoredSchedule]
  /// Whether there are more after the last of these.
  public let hasMore: Bool
}

/// When a schedule may be put, or ended.
public enum ScheduleCondition: Sendable, Equatable {
  /// Whatever there is.
  case always
  /// If there is none of this key.
  case absent
  /// If nobody has changed it since, see ``StoredSchedule/version``.
  case version(String)

  var headers: [String: String] {
    switch self {
    case .always: [:]
    case .absent: ["If-None-Match": "*"]
    case .version(let version): ["If-Match": version]
    }
  }
}
