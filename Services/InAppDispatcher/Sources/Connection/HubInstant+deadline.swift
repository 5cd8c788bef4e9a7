import NIOCore
import SignalRProtocol

extension HubInstant {
  init(_ deadline: NIODeadline) { self.init(nanoseconds: deadline.uptimeNanoseconds) }

  static var now: HubInstant { HubInstant(NIODeadline.now()) }
}
