import { useSyncExternalStore } from "react";
import { belfry } from "./belfry";

const loadNotifications = (refresh = false) => (refresh ? belfry.refresh() : belfry.loadMore());

/** As many components as like may use it: they share one list and one connection. */
export function useNotifications() {
  const list = useSyncExternalStore(belfry.subscribe, () => belfry.list());
  const unreadCount = useSyncExternalStore(belfry.subscribe, () => belfry.unreadCount) ?? 0;
  return {
    notifications: list.items,
    unreadCount,
    isLoading: list.isLoading,
    isLoaded: list.isLoaded,
    hasMore: list.hasMore,
    error: list.error,
    loadNotifications,
    markAsRead: belfry.markAsRead,
    markAllAsRead: belfry.markAllAsRead,
  };
}
