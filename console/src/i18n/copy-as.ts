import { spoken } from "./spoken.ts";

interface CopyAsWords {
  label: string;
  ways: Record<"curl" | "program" | "command", string>;
}

const english: CopyAsWords = { label: "Copy as", ways: { curl: "curl", program: "SDK", command: "CLI" } };

const chinese: CopyAsWords = { label: "复制为", ways: { curl: "curl", program: "SDK", command: "命令行" } };

export const copyAsWords = spoken({ english, chinese });
