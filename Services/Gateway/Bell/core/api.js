/** What went wrong, by `code`; `status` is 0 where there was no answer, `retryAfter` is in seconds. */
export class BellError extends Error {
  constructor(code, more) {
    super(more?.detail ?? code);
    Object.assign(this, { code, status: 0, detail: null, retryAfter: null, operation: null }, more);
  }
}

/** Of the inbox, below the gateway. */
export const inboxPath = '/api/v1/notifications';

const longestWait = 300;
const codes = { 401: 'unauthorized', 403: 'forbidden', 404: 'not-found', 408: 'timeout', 429: 'rate-limited' };

/** Seconds from `Retry-After`, which is a number or a date; null if it is neither. */
const secondsOf = text => {
  const seconds = /^\d+$/.test(text) ? +text : (Date.parse(text) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.min(Math.max(seconds, 0), longestWait);
};

const errorOf = async response => {
  const { status } = response;
  const problem = await response.json().catch(() => null);
  return new BellError(codes[status] ?? (status < 500 ? 'invalid' : 'unavailable'), {
    status,
    detail: typeof problem?.detail === 'string' ? problem.detail : null,
    retryAfter: secondsOf(response.headers.get('Retry-After')),
  });
};

const lost = ({ name }) => {
  if (name === 'SyntaxError') malformed();
  throw new BellError(name === 'TimeoutError' ? 'timeout' : navigator.onLine ? 'unavailable' : 'offline');
};

/** An answer of 2xx where something else was expected: a proxy's sign-in page, say. */
export const malformed = () => {
  throw new BellError('malformed', { status: 200 });
};

/** Whose token it is, as far as that can be read from it. */
const subjectOf = token => {
  try {
    const { sub, nameid } = JSON.parse(atob(token.split('.')[1].replace(/-/g, '+').replace(/_/g, '/')));
    return sub ?? nameid;
  } catch {
    return null;
  }
};

/** Gives a token by what the element was given: a function, a token, or the address of one. */
const askFor = async ({ token, tokenUrl }, isRefresh, signal) => {
  if (typeof token === 'function') return token({ isRefresh, signal });
  if (token || !tokenUrl) return token;
  const response = await fetch(tokenUrl, { signal, cache: 'no-store' });
  if ([401, 403].includes(response.status)) return null;
  if (!response.ok) throw await errorOf(response);
  const text = (await response.text()).trim();
  return text[0] === '{' ? JSON.parse(text).token : text;
};

/**
 * Requests with the user's token, by the `credentials()` that the element has now. Once `life` is over no token is asked for, except for a
 * farewell: it may be the next user's.
 */
export const createAPI = ({ gateway, credentials, times, life, onUnauthorized, onOtherUser }) => {
  let token = null;
  let subject;
  let asking = null;
  let isBlocked = false;

  const unauthorized = (error = new BellError('unauthorized')) => {
    isBlocked = true;
    queueMicrotask(onUnauthorized);
    return error;
  };

  const ask = async isRefresh => {
    const signal = AbortSignal.timeout(times.token);
    const late = new Promise((_, reject) => (signal.onabort = reject));
    let answer;
    try {
      answer = await Promise.race([askFor(credentials(), isRefresh, signal), late]);
    } catch (error) {
      throw new BellError('token', { detail: error?.message ?? null, retryAfter: error?.retryAfter ?? null });
    }
    if (typeof answer !== 'string' || !answer) throw unauthorized();
    const next = subjectOf(answer);
    if (subject !== undefined && next !== subject) {
      if (!life.isOver) onOtherUser();
      throw new BellError('ended');
    }
    subject = next;
    return (token = answer);
  };

  /** The token; another one than the one that was refused. One that `isLast` is for what cannot concern whoever comes next. */
  const currentToken = async (refused, isLast) => {
    const live = () => {
      if (life.isOver && !isLast) throw new BellError('ended');
    };
    if (isBlocked) throw unauthorized();
    if (token && token !== refused) return token;
    live();
    const answer = await (asking ??= ask(!!refused).finally(() => (asking = null)));
    live();
    if (answer === refused) throw unauthorized();
    return answer;
  };

  const api = {
    token: currentToken,

    /** An answer of 2xx, its body unread; `bearer` replaces the user's token, and null is none. */
    async fetch(method, url, how = {}, refused) {
      const { body, bearer, isLast, headers, timeout = times.fetch } = how;
      const isOwn = bearer === undefined;
      const used = isOwn ? await currentToken(refused, isLast) : bearer;
      const response = await fetch(url, {
        method,
        body,
        credentials: 'omit',
        // Chromium makes requests of one address wait for each other where it may keep the answer.
        cache: 'no-store',
        // The page may be left right after a click.
        keepalive: method !== 'GET',
        signal: AbortSignal.timeout(timeout),
        headers: {
          ...(used && { Authorization: `Bearer ${used}` }),
          ...(body && { 'Content-Type': 'application/json' }),
          ...headers,
        },
      }).catch(lost);
      if (response.ok) return response;
      const error = await errorOf(response);
      if (error.status !== 401 || !isOwn) throw error;
      if (refused) throw unauthorized(error);
      return api.fetch(method, url, how, used);
    },

    /** The body of the answer; null where there is none. */
    async request(method, path, body, how) {
      const response = await api.fetch(method, gateway + path, { ...how, body: body && JSON.stringify(body) });
      return response.status === 204 ? null : response.json().catch(lost);
    },

    /** Lets a refused user try again, with a fresh token. */
    unblock() {
      if (isBlocked) token = null;
      isBlocked = false;
    },
  };
  return api;
};
