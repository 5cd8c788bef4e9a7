/// What a fresh connection is prepared for.
enum LinkPurpose: Sendable {
  case publish
  case consume(queue: String, prefetch: Int)
  case manage
}
