// For node before 22, which takes a .js file for a module only where a package.json beside it says so.

import { register } from "node:module";

const hooks = `
export const load = (url, context, next) =>
  next(url, url.startsWith("file:") && url.endsWith(".js") ? { ...context, format: "module" } : context);
`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
