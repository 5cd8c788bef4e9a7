/// A service's configuration, read once at the start.
///
/// The initializer reads every key and has no other effect: it also runs to print `--help` and to check
/// docs/configuration.md. Problems go to `Settings`, which reports them together.
public protocol ServiceConfiguration: Sendable {
  init(_ settings: Settings)
}
