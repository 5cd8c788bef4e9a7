/** The server answers a poll after 90 s at the latest. */
const timeout = 100_000;

/** Text over requests that wait for it. */
export const open = ({ url, onOpen, onText, onClose, fetch }) => {
  let isOpen = true;
  let sent = Promise.resolve();
  const poll = async () => {
    try {
      // The first one is answered at once.
      await fetch('GET', url);
      if (isOpen) onOpen();
      while (isOpen) {
        const response = await fetch('GET', url, { timeout });
        if (response.status === 204) break;
        const text = await response.text();
        if (isOpen && text) onText(text);
      }
      onClose();
    } catch (error) {
      onClose(error);
    }
  };
  poll();
  return {
    send(body) {
      sent = sent.then(() => fetch('POST', url, { body })).catch(onClose);
    },
    close() {
      isOpen = false;
      fetch('DELETE', url).catch(() => {});
    },
  };
};
