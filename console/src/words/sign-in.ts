import type { Keep } from "../app/session.ts";
import { spoken } from "./spoken.ts";

interface SignInWords {
  title: string;
  lead: string;
  token: string;
  hint: string;
  keep: string;
  keeps: Record<Keep, string>;
  submit: string;
  trying: string;
  refused: string;
  ended: string;
  promise: string;
}

const english: SignInWords = {
  title: "Sign in",
  lead: "See every question, answer and notice of an account.",
  token: "Access token",
  hint: "It begins with qrt_. The first start of the service prints one; the operator makes more with querentd token create.",
  keep: "Keep the token",
  keeps: {
    memory: "Not at all: gone when this page is reloaded",
    tab: "Until this tab is closed",
    device: "On this device, until I sign out",
  },
  submit: "Sign in",
  trying: "Signing in …",
  refused: "The service does not know this token. It may be mistyped, expired or revoked.",
  ended: "The service no longer takes the token. It may have expired or been revoked. Sign in with another.",
  promise: "The token is sent to this service only. It never stands in an address.",
};

const chinese: SignInWords = {
  title: "登录",
  lead: "查看一个账户的全部问题、答案和通知。",
  token: "访问令牌",
  hint: "以 qrt_ 开头。服务首次启动时会打印一个；运维人员可用 querentd token create 创建更多。",
  keep: "保存令牌",
  keeps: {
    memory: "不保存：刷新页面后即失效",
    tab: "保存到关闭此标签页为止",
    device: "保存在此设备上，直到我退出登录",
  },
  submit: "登录",
  trying: "正在登录…",
  refused: "服务不认识这个令牌。可能输入有误、已过期或已被吊销。",
  ended: "服务不再接受此令牌。它可能已过期或被吊销，请换一个令牌登录。",
  promise: "令牌只会发送给本服务，绝不会出现在网址中。",
};

export const signInWords = spoken({ english, chinese });
