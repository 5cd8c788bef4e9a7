import NotificationModel

/// What is done with a target whose turn has come.
enum TargetDecision {
  case begin(ProviderControl.Ticket)
  /// Its scope is slow: it waits when the message's turn is over.
  case setAside
  /// It waits on the ladder, to spare the provider.
  case postponed(Postponement)
  /// It has its final outcome, or its user was erased: then it gets none, and does not come back.
  case skip
  case expired
  /// Something has come up against it since it was routed.
  case objected(SkipReason)
  /// Nothing more of the message is begun: the last of it would not end before the broker wants the message back.
  case late
  case noProvider
  /// Nothing more of the message is begun: the service stops, or the broker has given the message to somebody else.
  case abandoned
}
