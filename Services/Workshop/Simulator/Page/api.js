/** Calls the simulator; a refusal is thrown with the words of its problem details. */
export async function call(path, { method = "GET", body } = {}) {
  let answer;
  try {
    answer = await fetch(path, {
      method,
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Error("The simulator does not answer. Is `make run` still running?");
  }
  const json = await answer.json().catch(() => null);
  if (!answer.ok) throw new Error(json?.detail ?? `The simulator answered ${answer.status}.`);
  return json;
}
