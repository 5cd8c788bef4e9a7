/** Text over a WebSocket, which can bring its token in the address alone. */
export const name = "WebSockets";

export const open = ({ url, token, onOpen, onText, onClose }) => {
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  url.searchParams.set("access_token", token);
  const socket = new WebSocket(url);
  socket.onopen = onOpen;
  socket.onmessage = ({ data }) => onText(data);
  socket.onclose = socket.onerror = () => onClose();
  return {
    send(text) {
      if (socket.readyState === 1) socket.send(text);
    },
    close() {
      socket.onopen = socket.onmessage = socket.onclose = socket.onerror = null;
      socket.close();
    },
  };
};
