/** Text over server-sent events; what the client says goes in requests of its own. */
export const open = ({ url, token, onOpen, onText, onClose, fetch }) => {
  const address = new URL(url);
  address.searchParams.set('access_token', token);
  const source = new EventSource(address);
  let sent = Promise.resolve();
  source.onopen = onOpen;
  source.onmessage = ({ data }) => onText(data);
  // It would come again by itself, to a connection that has ended.
  source.onerror = onClose;
  return {
    send(body) {
      sent = sent.then(() => fetch('POST', url, { body })).catch(onClose);
    },
    close() {
      source.onopen = source.onmessage = source.onerror = null;
      source.close();
    },
  };
};
