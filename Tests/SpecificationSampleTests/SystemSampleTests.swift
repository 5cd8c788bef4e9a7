import Testing

/// Samples that use what an app has one of: the system's notifications, its badge. One after the other.
@Suite(.serialized) struct SystemSampleTests {}
