import { useEffect, useRef, useState } from "react";
import { NotificationCenter } from "./NotificationCenter";
import { useNotifications } from "./useNotifications";

export function NotificationBell() {
  const [isOpen, setIsOpen] = useState(false);
  const { unreadCount } = useNotifications();
  const ref = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const close = (event: MouseEvent) => ref.current?.contains(event.target as Node) || setIsOpen(false);
    document.addEventListener("mousedown", close);
    return () => document.removeEventListener("mousedown", close);
  }, []);

  return (
    <div ref={ref} className="notification-bell">
      <button aria-label={`Notifications, ${unreadCount} unread`} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        🔔 {unreadCount > 0 && <span className="badge">{unreadCount > 9 ? "9+" : unreadCount}</span>}
      </button>
      {isOpen && <NotificationCenter />}
    </div>
  );
}
