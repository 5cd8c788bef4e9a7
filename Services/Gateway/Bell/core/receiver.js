/** Takes what the hub sends into the inbox. `doubt` asks the server for its list, `replace` the connection for another one. */
export const createReceiver = ({ inbox, life, doubt, replace, onNotification, onEvent, onChange }) => {
  let session = null;
  let isResumed = false;
  /** Up to here everything was there before anybody looked. */
  let announcedSeq = null;

  const receive = (dto, isMissed) => {
    inbox.receive(dto);
    if (isResumed) inbox.advance();
    const item = inbox.get(dto?.id);
    const isNews = item && !(item.seq !== null && item.seq <= announcedSeq);
    if (isNews && inbox.announce(item.id)) onNotification(item, { isMissed });
    onChange();
  };

  /** What was neither expected nor asked for here has to fit to a count, which comes apart from it. */
  const take = (id, takeIt, sent) => {
    const isOwn = inbox.isConcerned(id);
    if (!takeIt(sent) && !isOwn) doubt();
  };

  const targets = {
    ReceiveNotification: dto => receive(dto, false),
    NotificationRead: id => take(id, inbox.read, id),
    NotificationChanged: dto => take(dto?.id, inbox.change, dto),
    NotificationDeleted: inbox.remove,
    UnreadCountChanged(count) {
      const isExpected = inbox.takeCount(count);
      // Of more than a hundred nothing else is sent.
      if (count === 0) inbox.readAll();
      if (!isExpected) doubt();
    },
  };

  const receiver = {
    get isConnected() {
      return !!session;
    },

    /** The connection; null where there is none any more. */
    connect(opened) {
      session = opened;
      isResumed = false;
    },

    call(target, args) {
      if (life.isOver) return;
      if (Object.hasOwn(targets, target)) targets[target](args[0]);
      else onEvent(target, args);
      onChange();
    },

    /** Asks for what was missed: once for each connection, as soon as it is known from where on. */
    async resume() {
      const mine = session;
      if (!mine || mine.isResuming || inbox.lastSeq === null) return;
      mine.isResuming = true;
      try {
        await mine.resume(inbox.lastSeq, dto => life.isOver || receive(dto, true));
        if (session !== mine) return;
        isResumed = true;
        inbox.advance();
      } catch (error) {
        if (session === mine) replace(error);
      }
    },

    /** The list was read, or that has failed. */
    settle() {
      announcedSeq ??= inbox.lastSeq;
      receiver.resume();
    },
  };
  return receiver;
};
