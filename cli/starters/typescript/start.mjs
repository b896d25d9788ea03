// Starts bot.ts, if this Node.js is new enough to run TypeScript.
if (process.features.typescript) await import("./bot.ts");
else console.error(`bot.ts needs Node.js 22.18 or newer, this is ${process.version}`);
