import { BelfryError, createBelfry } from "./belfry.js";

// Each line that begins with `belfry.` or `createBelfry(` is a mistake.
const belfry = createBelfry({ tokenUrl: "/my/token" });
createBelfry({});
createBelfry({ token: () => 7 });
createBelfry({ token: "eyJ", tokenUrl: "/my/token" });
belfry.unreadCount = 7;
belfry.list().items[0].title = "Mine";
belfry.list().items.push(belfry.list().items[0]);
belfry.list({ place: "bin" });
belfry.on("notifications", () => undefined);
belfry.on("state", ({ state }) => state === "conected");
belfry.markAsRead([7]);
belfry.snooze("a");
belfry.act("a");
belfry.markAsSeen("a").undo();
belfry.request("GET", "/catalogue").then(answer => answer.types);
belfry.on("error", () => new BelfryError());
