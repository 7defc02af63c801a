/** What one may ask from a terminal before anything else, as a command for a POSIX shell. */
export const firstCommand = (token: string): string =>
  [
    `curl -s ${window.location.origin}/v1/tasks/batch \\`,
    `  -H "Authorization: Bearer ${token}" \\`,
    `  -H "Idempotency-Key: $(date +%s%N)" -H "Content-Type: application/json" \\`,
    `  -d '[{"question": "How fine should I grind for espresso?", "platformCode": "sample", "options": {}}]'`,
  ].join("\n");
