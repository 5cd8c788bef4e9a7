/** Text over server-sent events; what the client says goes in requests of its own. */
export const name = "ServerSentEvents";

export const open = ({ url, token, onOpen, onText, onClose, post }) => {
  const address = new URL(url);
  address.searchParams.set("access_token", token);
  const source = new EventSource(address);
  source.onopen = onOpen;
  source.onmessage = ({ data }) => onText(data);
  // It would come again by itself, to a connection that has ended.
  source.onerror = () => onClose();
  let sent = Promise.resolve();
  return {
    send(text) {
      sent = sent.then(() => post(url, text)).catch(onClose);
    },
    close() {
      source.onopen = source.onmessage = source.onerror = null;
      source.close();
    },
  };
};
