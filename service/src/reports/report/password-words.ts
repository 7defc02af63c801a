/** The words of the page that asks for the password of a link. They say nothing of what it opens. */
export const english = {
  title: "This link has a password",
  about: "Whoever sent you the link knows it.",
  password: "Password",
  open: "Open",
  wrong: "This is not the password. Check upper and lower case, and try again.",
  tooOften: (minutes: number) =>
    `The password was tried too often. Try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}, or ask whoever sent you the link.`,
};

export type PasswordWords = typeof english;

export const chinese: PasswordWords = {
  title: "此链接有密码",
  about: "请向发送链接的人询问密码。",
  password: "密码",
  open: "打开",
  wrong: "密码不正确。请检查大小写，然后重试。",
  tooOften: (minutes) => `密码尝试次数过多。请在 ${minutes} 分钟后重试，或询问发送链接的人。`,
};
