import { spoken } from "./spoken.ts";

const english = {
  title: "Figures in a spreadsheet",
  about:
    "An address at which Google Sheets, Excel, Power BI or Looker Studio read the figures of this panel, as they are then. Whoever has it reads these figures, and nothing else.",
  rows: "One row for each",
  rowChoices: { none: "Brand", run: "Brand and run", topic: "Brand and topic", prompt: "Brand and prompt" },
  /** Made over the API alone. */
  day: "Brand and day",
  window: "Window",
  windowChoices: { latest: "Latest runs", days90: "90 days", days366: "A year" },
  make: "Make an address",
  made: "The address was made.",
  mayNot: "This token can’t make addresses. It needs the panels:write scope.",
  list: "Addresses that work",
  lastDays: (days: number) => `${days} days`,
  formula: "Copy for Google Sheets",
  address: "Copy the address",
  revoked: "The address was revoked: what reads it gets an error from now on.",
  local:
    "This service is reached under an address of this machine or network. Google Sheets and Looker Studio need one that the internet reaches; Excel and Power BI on your computer do not.",
};

const chinese: typeof english = {
  title: "在电子表格中使用数字",
  about:
    "一个地址，Google Sheets、Excel、Power BI 或 Looker Studio 可从中读取此面板当时的数字。持有地址的人只能读取这些数字。",
  rows: "每行对应",
  rowChoices: { none: "品牌", run: "品牌和运行", topic: "品牌和主题", prompt: "品牌和提示词" },
  day: "品牌和日期",
  window: "时间窗口",
  windowChoices: { latest: "最近的运行", days90: "90 天", days366: "一年" },
  make: "创建地址",
  made: "地址已创建。",
  mayNot: "此令牌不能创建地址，需要 panels:write 权限。",
  list: "有效的地址",
  lastDays: (days) => `${days} 天`,
  formula: "复制用于 Google Sheets 的公式",
  address: "复制地址",
  revoked: "地址已撤销：读取它的程序从现在起会收到错误。",
  local:
    "此服务的地址属于本机或本地网络。Google Sheets 和 Looker Studio 需要互联网可访问的地址；您电脑上的 Excel 和 Power BI 不需要。",
};

export const panelAddressMessages = spoken({ english, chinese });
