import { createBelfry } from "https://belfry.example/client/v1/belfry.js";

/** One for the whole app: `belfry.connect()` when somebody has signed in, `belfry.signOut()` when they leave. */
export const belfry = createBelfry({ tokenUrl: "/my/token" });
