import { spoken } from "./spoken.ts";

const english = { label: "Copy as", ways: { curl: "curl", program: "SDK", command: "CLI" } };

const chinese: typeof english = { label: "复制为", ways: { curl: "curl", program: "SDK", command: "命令行" } };

export const copyAsMessages = spoken({ english, chinese });
