import type { BelfryNotification } from "https://belfry.example/client/v1/belfry.js";
import { useNotifications } from "./useNotifications";

export function NotificationCenter() {
  const { notifications, unreadCount, isLoading, isLoaded, hasMore, error, loadNotifications, markAsRead, markAllAsRead } =
    useNotifications();
  return (
    <section className="notification-center" aria-label="Notifications" aria-busy={isLoading}>
      <h3>Notifications {unreadCount > 0 && <span className="count">{unreadCount}</span>}</h3>
      {unreadCount > 0 && <button onClick={() => markAllAsRead()}>Mark all read</button>}
      {isLoaded && notifications.length === 0 && <p>No notifications yet</p>}
      <ul>
        {notifications.map(notification => (
          <NotificationItem key={notification.id} notification={notification} onRead={() => markAsRead(notification.id)} />
        ))}
      </ul>
      {isLoading && <p>Loading…</p>}
      {error && !isLoading && <button onClick={() => loadNotifications(true)}>Try again</button>}
      {hasMore && !isLoading && !error && <button onClick={() => loadNotifications()}>Load more</button>}
    </section>
  );
}

function NotificationItem({ notification, onRead }: { notification: BelfryNotification; onRead: () => void }) {
  const { title, body, isRead, createdAt } = notification;
  return (
    <li className={isRead ? "read" : "unread"}>
      <button onClick={() => isRead || onRead()}>
        <strong>{title}</strong> <span>{body}</span> <time dateTime={createdAt}>{new Date(createdAt).toLocaleString()}</time>
      </button>
    </li>
  );
}
