// Every page that is looked at, in the order a visitor meets it.
export const OUTSIDE = ["/workspace/sign-in", "/workspace/nowhere"];

export const INSIDE = [
  "/workspace",
  "/workspace/webhooks",
  "/workspace/webhooks/new",
  "/workspace/api-keys",
  "/workspace/api-keys/new",
  "/workspace/audit",
  "/workspace/audit/verify",
  "/workspace/users",
  "/workspace/users/new",
  "/workspace/settings",
  "/workspace/profile",
  "/workspace/design",
];
