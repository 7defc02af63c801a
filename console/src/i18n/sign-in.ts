import { spoken } from "./spoken.ts";

const english = {
  title: "Sign in",
  lead: "Open the console of an account.",
  toConnect: "An assistant asks to be connected. Sign in to decide.",
  passkey: {
    signIn: "Sign in with a passkey",
    elsewhere: "Passkeys work at another address:",
    unanswered: {
      "not made": "The browser has made no passkey: it was canceled, took too long, or your device did not verify you.",
      "not answered":
        "The browser has answered with no passkey: it has none for this address, or it was canceled or took too long.",
      "there already": "There is a passkey of yours on this device or in this password manager already.",
    },
  },
  ways: { password: "Password", token: "Token" },
  forgotten: "Forgot it? Ask the operator for a link: querentd person password.",
  token: "Access token",
  hint: "Starts with qrt_. The first start of the service prints one. Create more with querentd token create.",
  keep: "Stay signed in",
  keeps: {
    memory: "Until this page is reloaded",
    tab: "Until this tab is closed",
    device: "On this device, until I sign out",
  },
  continueWith: (provider: string) => `Continue with ${provider}`,
  notSignedIn: "You are not signed in",
  submit: "Sign in",
  trying: "Signing in…",
  refused: "Invalid token. It may be mistyped, expired or revoked.",
  ended: "Your session has ended because the token expired or was revoked. Sign in with another token.",
  loginEnded: "You were signed out. Sign in again.",
  promise: "The token is sent only to this service, and is never part of a URL.",
};

const chinese: typeof english = {
  title: "登录",
  lead: "打开账户的控制台。",
  toConnect: "有助手请求连接。请登录后决定。",
  passkey: {
    signIn: "使用通行密钥登录",
    elsewhere: "通行密钥可在另一地址使用：",
    unanswered: {
      "not made": "浏览器未创建通行密钥：操作已取消、超时，或设备未能验证您的身份。",
      "not answered": "浏览器未使用通行密钥应答：此地址没有通行密钥，或操作已取消、超时。",
      "there already": "此设备或此密码管理器中已有您的通行密钥。",
    },
  },
  ways: { password: "密码", token: "令牌" },
  forgotten: "忘记密码？请向运维人员索取链接：querentd person password。",
  token: "访问令牌",
  hint: "以 qrt_ 开头。服务首次启动时会打印一个，可用 querentd token create 创建更多。",
  keep: "保持登录",
  keeps: {
    memory: "直到刷新页面",
    tab: "直到关闭此标签页",
    device: "在此设备上，直到我退出登录",
  },
  continueWith: (provider) => `使用 ${provider} 登录`,
  notSignedIn: "您尚未登录",
  submit: "登录",
  trying: "正在登录…",
  refused: "令牌无效。可能输入有误、已过期或已被吊销。",
  ended: "令牌已过期或被吊销，会话已结束。请使用其他令牌登录。",
  loginEnded: "您已退出登录，请重新登录。",
  promise: "令牌只会发送给本服务，不会出现在网址中。",
};

export const signInMessages = spoken({ english, chinese });
