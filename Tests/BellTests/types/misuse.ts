import "./belfry-bell.js";

// Each line that begins with `bell.` is a mistake.
const bell = document.querySelector("belfry-bell")!;
bell.unreadCount = 7;
bell.lauout = "inline";
bell.pushWorker = 7;
bell.notifications[0].title = "Mine";
bell.tokenProvider = () => 7;
bell.renderItem = () => ({ content: "text" });
bell.renderItem = () => ({ contents: null });
bell.addEventListener("belfry-click", event => event.detail.notification.texxt);
