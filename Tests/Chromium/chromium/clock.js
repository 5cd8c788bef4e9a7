// A clock that goes on by itself and can be put forward: clock.advance(milliseconds) runs the timers that come due meanwhile,
// in order, each at its own time.
{
  const RealDate = Date;
  const real = {
    now: Date.now.bind(Date), elapsed: performance.now.bind(performance),
    setTimeout: setTimeout.bind(globalThis), clearTimeout: clearTimeout.bind(globalThis),
  };
  let ahead = 0;
  let lastID = 0;
  const timers = new Map();

  const start = timer => {
    timer.handle = real.setTimeout(run, Math.max(0, timer.due - ahead - real.elapsed()), timer);
  };
  const run = timer => {
    if (timer.every === null) timers.delete(timer.id);
    else {
      timer.due += Math.max(1, timer.every);
      start(timer);
    }
    timer.work();
  };
  const add = (work, delay, every) => {
    const timer = { id: ++lastID, work, every, due: real.elapsed() + ahead + Math.max(0, Number(delay) || 0) };
    timers.set(timer.id, timer);
    start(timer);
    return timer.id;
  };
  const remove = id => {
    if (timers.has(id)) real.clearTimeout(timers.get(id).handle);
    timers.delete(id);
  };

  globalThis.setTimeout = (work, delay, ...rest) => add(() => work(...rest), delay, null);
  globalThis.setInterval = (work, delay, ...rest) => add(() => work(...rest), delay, Math.max(0, Number(delay) || 0));
  globalThis.clearTimeout = globalThis.clearInterval = remove;
  performance.now = () => real.elapsed() + ahead;
  globalThis.Date = class Date extends RealDate {
    constructor(...parts) {
      super(...(parts.length ? parts : [real.now() + ahead]));
    }
    static now() {
      return real.now() + ahead;
    }
  };

  globalThis.clock = {
    async advance(milliseconds) {
      const end = real.elapsed() + ahead + milliseconds;
      for (;;) {
        const next = [...timers.values()].sort((a, b) => a.due - b.due || a.id - b.id)[0];
        const now = real.elapsed() + ahead;
        if (!next || next.due > end) {
          ahead += Math.max(0, end - now);
          break;
        }
        ahead += Math.max(0, next.due - now);
        real.clearTimeout(next.handle);
        run(next);
        // What a timer began, as an answer of the network, may go on before the next one.
        await new Promise(done => real.setTimeout(done, 0));
      }
      for (const timer of timers.values()) {
        real.clearTimeout(timer.handle);
        start(timer);
      }
    },
  };
}
