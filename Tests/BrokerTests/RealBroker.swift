import TestSupport
import Testing

/// Everything that needs a broker. One after the other: some tests stop it or raise its alarm.
@Suite(.realBroker, .serialized, .timeLimit(.minutes(5)))
struct RealBroker {}
