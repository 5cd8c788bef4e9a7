import Foundation
import WallClock

/// An instant from RFC 3339 text, e.g. `2026-03-29T01:00:00Z`.
func instant(_ text: String) -> Date { ISO8601DateFormatter().date(from: text)! }

/// An instant as RFC 3339 text in UTC.
func text(_ instant: Date) -> String { ISO8601DateFormatter().string(from: instant) }
