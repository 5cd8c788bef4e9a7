/** As ASP.NET calls it. */
const longName = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/nameidentifier';

/** Whose token it is, of one name or several; undefined where that cannot be read from it. */
export const subjectOf = token => {
  try {
    const claims = JSON.parse(atob(token.split('.')[1].replace(/-/g, '+').replace(/_/g, '/')));
    const subject = claims.sub ?? claims.nameid ?? claims[longName];
    return subject == null ? undefined : `${subject}`;
  } catch {}
};
