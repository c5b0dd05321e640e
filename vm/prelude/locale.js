// What depends on a locale in other engines.
(function (host) {
  "use strict";
  const { apply } = Reflect;
  const { hide, named } = host;

  // One fixed locale. A request for another one, or for options, is refused, not ignored.
  const english = (locales) => locales === undefined || locales === "en" || locales === "en-US";
  const one = (name, locales, options) => {
    if (options !== undefined || !english(locales)) host.unavailable(`${name} with a locale or options`);
  };
  const { valueOf: numberOf } = Number.prototype;
  const { valueOf: bigintOf } = BigInt.prototype;
  const { localeCompare, toLowerCase, toUpperCase } = String.prototype;
  const locale = {
    number: { toLocaleString(locales, options) { const n = apply(numberOf, this, []); one("toLocaleString", locales, options); return host.localeNumber(n); } },
    bigint: { toLocaleString(locales, options) { const n = apply(bigintOf, this, []); one("toLocaleString", locales, options); return host.localeNumber(n); } },
    string: {
      localeCompare(that, locales, options) { one("localeCompare", locales, options); return apply(localeCompare, this, [that]); },
      toLocaleLowerCase(locales) { one("toLocaleLowerCase", locales); return apply(toLowerCase, this, []); },
      toLocaleUpperCase(locales) { one("toLocaleUpperCase", locales); return apply(toUpperCase, this, []); },
    },
  };
  hide(Number.prototype, "toLocaleString", named(locale.number.toLocaleString, "toLocaleString", 0));
  hide(BigInt.prototype, "toLocaleString", named(locale.bigint.toLocaleString, "toLocaleString", 0));
  const lengths = { __proto__: null, localeCompare: 1, toLocaleLowerCase: 0, toLocaleUpperCase: 0 };
  for (const name in locale.string) hide(String.prototype, name, named(locale.string[name], name, lengths[name]));
});
