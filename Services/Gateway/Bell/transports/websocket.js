/** Text over a WebSocket, which can bring its token in the address alone. */
export const open = ({ url, token, onOpen, onText, onClose }) => {
  url.protocol = url.protocol.replace('http', 'ws');
  url.searchParams.set('access_token', token);
  const socket = new WebSocket(url);
  socket.onopen = onOpen;
  socket.onmessage = ({ data }) => onText(data);
  socket.onclose = onClose;
  return {
    send(text) {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    close() {
      socket.onopen = socket.onmessage = socket.onclose = null;
      socket.close();
    },
  };
};
