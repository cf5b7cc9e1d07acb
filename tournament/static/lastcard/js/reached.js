export const PULSE = 5_000; // ms between two tries to reach the server

/** Whether Lastcard itself answers at this address, and not a hotel's sign-in page. @param {string} address */
export async function reached(address) {
  const signal = AbortSignal.timeout?.(PULSE);
  const response = await fetch(address, { method: "HEAD", cache: "no-store", signal }).catch(() => null);
  return Boolean(response?.headers.get("Content-Security-Policy")?.includes("frame-ancestors"));
}
