import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { readPrice } from "../src/price.ts";

suite("prices as they are shown", () => {
  const cases: readonly (readonly [shown: string, unit: string, country: string, wanted: string])[] = [
    ["$1,299.00", "", "US", "1299 USD"],
    ["$1,299.00", "", "", "1299 $"],
    ["US$ 12.5", "", "CN", "12.5 USD"],
    ["1.299,00 €", "", "DE", "1299 EUR"],
    ["€ 1.299", "", "DE", "1299 EUR"],
    ["12,5 €", "", "FR", "12.5 EUR"],
    ["1 299,90 zł", "", "PL", "1299.9 PLN"],
    ["CHF 1’299.–", "", "CH", "1299 CHF"],
    ["£0.99", "", "GB", "0.99 GBP"],
    ["199", "元", "CN", "199 CNY"],
    ["¥199", "", "CN", "199 CNY"],
    ["¥199", "", "JP", "199 JPY"],
    ["¥199", "", "", "199 ¥"],
    ["￥1.2万", "", "CN", "12000 CNY"],
    ["$1.2k", "", "US", "1200 USD"],
    ["₹1,29,999", "", "IN", "129999 INR"],
    ["12 990 ₽", "", "RU", "12990 RUB"],
    ["1 234 kr", "", "SE", "1234 SEK"],
    ["199:-", "", "SE", "199 SEK"],
    ["٤٩٩ ر.س", "", "SA", "499 SAR"],
    ["AED 49.95", "", "AE", "49.95 AED"],
    ["R 1 299", "", "ZA", "1299 ZAR"],
    ["R$ 1.299,90", "", "BR", "1299.9 BRL"],
    ["KWD 1.250", "", "KW", "not_understood"],
    ["KWD 12.500,750", "", "KW", "12500.75 KWD"],
    ["$10 – $20", "", "US", "not_one_price"],
    ["$15 $20", "", "US", "not_one_price"],
    ["from $15", "", "US", "not_one_price"],
    ["199", "元起", "CN", "not_one_price"],
    ["$30/mo", "", "US", "recurring"],
    ["30 € pro Monat", "", "DE", "recurring"],
    ["€10 ($11)", "", "DE", "not_one_price"],
    ["199", "", "US", "no_currency"],
    ["", "USD", "US", "no_price"],
    ["Free", "", "US", "not_understood"],
    ["-5 €", "", "DE", "not_understood"],
    ["$1,23,4", "", "US", "not_understood"],
    ["$1.2.3", "", "US", "not_understood"],
    ["$12345678.1234", "", "US", "not_understood"],
    [`${"9".repeat(200)} €`, "", "DE", "not_understood"],
  ];
  for (const [shown, unit, country, wanted] of cases)
    test(`${shown.slice(0, 30)} ${unit} in ${country || "no country"}: ${wanted}`, () => {
      const price = readPrice(shown, unit, country);
      assert.equal(typeof price === "string" ? price : `${price.amount} ${price.currency}`, wanted);
    });

  test("hostile texts are read at once", () => {
    for (const text of ["1 ".repeat(60), "1,".repeat(60), "$".repeat(120), " ".repeat(10_000), "from ".repeat(24)])
      assert.equal(typeof readPrice(text, text), "string");
  });
});
