export const PULSE = 5_000; // ms between two tries to reach the server

/** Whether Lastcard itself answers at this address within `patience` ms, and not a hotel's sign-in page. @param {string} address */
export async function reached(address, patience = PULSE) {
  const signal = AbortSignal.timeout?.(patience);
  const response = await fetch(address, { method: "HEAD", cache: "no-store", signal }).catch(() => null);
  return Boolean(response?.headers.get("Content-Security-Policy")?.includes("frame-ancestors"));
}
