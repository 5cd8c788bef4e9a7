/** What went wrong, by `code`; `status` is 0 where there was no answer. */
export class BellError extends Error {
  constructor(code, { status = 0, detail = null, retryAfter = null, cause } = {}) {
    super(detail ?? code, { cause });
    this.name = "BellError";
    Object.assign(this, { code, status, detail, retryAfter, operation: null });
  }
}

const longestWait = 300;

/** Seconds from `Retry-After`, which is a number or a date; null if it is neither. */
export const secondsOf = (retryAfter) => {
  const text = (retryAfter ?? "").trim();
  const seconds = /^\d+$/.test(text) ? +text : (Date.parse(text) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.min(Math.max(seconds, 0), longestWait);
};

const codes = { 401: "unauthorized", 403: "forbidden", 404: "not-found", 408: "timeout", 429: "rate-limited" };

const errorOf = async (response) => {
  const problem = await response.json().catch(() => null);
  const { status } = response;
  return new BellError(codes[status] ?? (status >= 500 ? "unavailable" : "invalid"), {
    status,
    detail: typeof problem?.detail === "string" ? problem.detail : null,
    retryAfter: secondsOf(response.headers.get("Retry-After")),
  });
};

/** Whose token it is, as far as that can be read from it. */
const subjectOf = (token) => {
  try {
    const { sub, nameid } = JSON.parse(atob(token.split(".")[1].replace(/-/g, "+").replace(/_/g, "/")));
    return sub ?? nameid;
  } catch {
    return undefined;
  }
};

const fetchToken = async (url, signal) => {
  const response = await fetch(url, { signal, credentials: "same-origin", cache: "no-store" });
  if (response.status === 401 || response.status === 403) return null;
  if (!response.ok) throw await errorOf(response);
  const text = (await response.text()).trim();
  return text[0] === "{" ? JSON.parse(text).token : text;
};

/** Requests with the user's token. `ask(isRefresh, signal)` gives one, or nothing where nobody is signed in. */
export const createAPI = ({ gateway, times, ask, onUnauthorized, onOtherUser }) => {
  let isEnded = false;
  let token = null;
  let subject;
  let asking = null;
  let isBlocked = false;

  const unauthorized = (status, detail) => {
    if (!isBlocked) {
      isBlocked = true;
      queueMicrotask(onUnauthorized);
    }
    return new BellError("unauthorized", { status, detail });
  };

  const askOnce = async (isRefresh) => {
    const signal = AbortSignal.timeout(times.token);
    const expired = new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    let answer;
    try {
      answer = await Promise.race([ask(isRefresh, signal), expired]);
    } catch (cause) {
      throw new BellError("token", { cause, detail: cause?.detail, retryAfter: cause?.retryAfter });
    }
    if (isEnded) throw new BellError("ended");
    if (typeof answer !== "string" || !answer) throw unauthorized(0);
    const next = subjectOf(answer);
    if (subject !== undefined && next !== subject) {
      onOtherUser();
      throw new BellError("ended");
    }
    subject = next;
    return (token = answer);
  };

  /** The token; another one than the one that was refused. */
  const currentToken = async (refused) => {
    if (isBlocked) throw unauthorized(0);
    if (token && token !== refused) return token;
    if (isEnded) throw new BellError("ended");
    const isRefresh = refused !== undefined;
    asking ??= askOnce(isRefresh).finally(() => (asking = null));
    const answer = await asking;
    if (answer === refused) throw unauthorized(401);
    return answer;
  };

  const lost = (cause) => {
    if (cause?.name === "TimeoutError") return new BellError("timeout", { cause });
    return new BellError(navigator.onLine ? "unavailable" : "offline", { cause });
  };

  const attempt = async (method, url, { body, bearer, timeout, headers }) => {
    const text = body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body);
    try {
      return await fetch(url, {
        method,
        body: text,
        credentials: "omit",
        cache: "no-store",
        // The page may be left right after a click; a longer body is not let past its end.
        keepalive: method !== "GET" && (text?.length ?? 0) < 8192,
        signal: AbortSignal.timeout(timeout ?? times.fetch),
        headers: {
          ...headers,
          ...(bearer && { Authorization: `Bearer ${bearer}` }),
          ...(text !== undefined && { "Content-Type": "application/json" }),
        },
      });
    } catch (cause) {
      throw lost(cause);
    }
  };

  return {
    /** An answer of 2xx, its body unread; `bearer` replaces the user's token, and null is none. */
    async fetch(method, url, options = {}) {
      let bearer = options.bearer === undefined ? await currentToken() : options.bearer;
      let response = await attempt(method, url, { ...options, bearer });
      if (response.status === 401 && options.bearer === undefined) {
        bearer = await currentToken(bearer);
        response = await attempt(method, url, { ...options, bearer });
        if (response.status === 401) throw unauthorized(401, (await errorOf(response)).detail);
      }
      if (!response.ok) throw await errorOf(response);
      return response;
    },

    async request(method, path, body, options) {
      const response = await this.fetch(method, new URL(path, `${gateway}/`).href, { ...options, body });
      let data = null;
      // A proxy's sign-in page comes with 200, too.
      try {
        if (response.status !== 204) data = JSON.parse(await response.text());
      } catch (cause) {
        throw cause instanceof SyntaxError ? new BellError("malformed", { status: response.status, cause }) : lost(cause);
      }
      return { status: response.status, data, headers: response.headers };
    },

    token: currentToken,

    /** No other token is asked for: it may be the next user's. */
    end() {
      isEnded = true;
    },

    /** Lets a refused user try again, with a fresh token. */
    unblock() {
      if (isBlocked) token = null;
      isBlocked = false;
    },
  };
};

/** `ask` of what the element was given: a function, a token, or the address of one. */
export const tokenSource = (source, url) => async (isRefresh, signal) => {
  if (typeof source === "function") return source({ isRefresh, signal });
  return source || !url ? source : fetchToken(url, signal);
};
