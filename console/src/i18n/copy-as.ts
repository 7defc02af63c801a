import { spoken } from "./spoken.ts";

interface CopyAsMessages {
  label: string;
  ways: Record<"curl" | "program" | "command", string>;
}

const english: CopyAsMessages = { label: "Copy as", ways: { curl: "curl", program: "SDK", command: "CLI" } };

const chinese: CopyAsMessages = { label: "复制为", ways: { curl: "curl", program: "SDK", command: "命令行" } };

export const copyAsMessages = spoken({ english, chinese });
