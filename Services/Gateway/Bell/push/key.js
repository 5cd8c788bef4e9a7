/** The key of a subscription, as the gateway has it: in base64url. */
export const keyOf = ({ options: { applicationServerKey } }) =>
  btoa(String.fromCharCode(...new Uint8Array(applicationServerKey ?? []))).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
