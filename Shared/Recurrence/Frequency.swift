/// How long the periods of a recurrence are (RFC 5545, FREQ).
public enum Frequency: String, Sendable, Hashable, CaseIterable {
  case daily = "DAILY"
  case weekly = "WEEKLY"
  case monthly = "MONTHLY"
  case yearly = "YEARLY"
}
