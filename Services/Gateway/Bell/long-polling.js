/** Text over requests that wait for it. */
export const name = "LongPolling";

const waiting = 100_000;

export const open = ({ url, onOpen, onText, onClose, post, fetch }) => {
  let isOpen = true;
  let sent = Promise.resolve();
  const poll = async () => {
    try {
      // The first one is answered at once.
      await fetch("GET", url, {});
      onOpen();
      while (isOpen) {
        const response = await fetch("GET", url, { timeout: waiting });
        if (response.status === 204) break;
        const text = await response.text();
        if (isOpen && text) onText(text);
      }
      if (isOpen) onClose();
    } catch (error) {
      if (isOpen) onClose(error);
    }
  };
  poll();
  return {
    send(text) {
      sent = sent.then(() => post(url, text)).catch(onClose);
    },
    close() {
      if (!isOpen) return;
      isOpen = false;
      fetch("DELETE", url, {}).catch(() => {});
    },
  };
};
