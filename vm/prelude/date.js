// Date on explicit instants only, and always in UTC, whatever zone the host is in.
(function (host) {
  "use strict";
  const Native = Date;
  const proto = Native.prototype;
  const { apply, construct, defineProperty } = Reflect;
  const { getTime, getUTCFullYear } = proto;
  const TypeErrorCtor = TypeError;
  const toPrimitiveSymbol = Symbol.toPrimitive;

  const { hide } = host;

  // What `new Date(value)` does first with an object that is not a Date.
  const primitive = (value) => {
    if (value === null || (typeof value !== "object" && typeof value !== "function")) return value;
    const exotic = value[toPrimitiveSymbol];
    if (exotic !== undefined && exotic !== null) {
      const result = apply(exotic, value, ["default"]);
      if (result === null || (typeof result !== "object" && typeof result !== "function")) return result;
      throw new TypeErrorCtor("Cannot convert object to primitive value");
    }
    for (let i = 0; i < 2; i += 1) {
      const method = i === 0 ? value.valueOf : value.toString;
      if (typeof method === "function") {
        const result = apply(method, value, []);
        if (result === null || (typeof result !== "object" && typeof result !== "function")) return result;
      }
    }
    throw new TypeErrorCtor("Cannot convert object to primitive value");
  };

  const fromOne = (value) => {
    if (host.isDate(value)) return apply(getTime, value, []);
    const p = primitive(value);
    return typeof p === "string" ? host.dateParse(p) : +p;
  };

  const fromParts = (parts) => {
    const n = [NaN, 0, 1, 0, 0, 0, 0];
    for (let i = 0; i < 7 && i < parts.length; i += 1) n[i] = +parts[i];
    return host.dateUTC(n[0], n[1], n[2], n[3], n[4], n[5], n[6]);
  };

  function UTCDate() {
    if (new.target === undefined) host.nondeterministic("Date()", "now(), which gives an ISO text");
    if (arguments.length === 0) host.nondeterministic("new Date()", "new Date(now())");
    const t = arguments.length === 1 ? fromOne(arguments[0]) : fromParts(arguments);
    return construct(Native, [t], new.target);
  }

  const methods = {
    now() {
      return host.nondeterministic("Date.now()", "now(), or new Date(now()).getTime()");
    },
    parse(text) {
      return host.dateParse(`${text}`);
    },
    UTC(year) {
      return fromParts(arguments);
    },
  };
  defineProperty(UTCDate, "name", { __proto__: null, value: "Date", configurable: true });
  defineProperty(UTCDate, "length", { __proto__: null, value: 7, configurable: true });
  defineProperty(UTCDate, "prototype", { __proto__: null, value: proto, writable: false, enumerable: false, configurable: false });
  defineProperty(methods.UTC, "length", { __proto__: null, value: 7, configurable: true });
  hide(UTCDate, "now", methods.now);
  hide(UTCDate, "parse", methods.parse);
  hide(UTCDate, "UTC", methods.UTC);
  hide(proto, "constructor", UTCDate);
  hide(globalThis, "Date", UTCDate);

  // Local time is UTC.
  const fields = ["FullYear", "Month", "Date", "Day", "Hours", "Minutes", "Seconds", "Milliseconds"];
  for (let i = 0; i < fields.length; i += 1) {
    for (let j = 0; j < 2; j += 1) {
      const verb = j === 0 ? "get" : "set";
      const utc = proto[verb + "UTC" + fields[i]];
      if (utc === undefined) continue;
      const name = verb + fields[i];
      const method = { [name]() { return apply(utc, this, arguments); } }[name];
      hide(proto, name, host.named(method, name, utc.length));
    }
  }
  const text = (name, kind) => {
    const method = { [name]() { return host.dateText(apply(getTime, this, []), kind); } }[name];
    hide(proto, name, method);
  };
  text("toString", "full");
  text("toDateString", "date");
  text("toTimeString", "time");
  // One fixed locale. A request for another one, or for a zone, is refused, not ignored.
  const localeText = (name, kind) => {
    const method = {
      [name](locales, options) {
        const t = apply(getTime, this, []);
        if (options !== undefined || (locales !== undefined && locales !== "en-US")) {
          host.unavailable(name + " with a locale or options");
        }
        return host.dateText(t, kind);
      },
    }[name];
    defineProperty(method, "length", { __proto__: null, value: 0, configurable: true });
    hide(proto, name, method);
  };
  localeText("toLocaleString", "localeFull");
  localeText("toLocaleDateString", "localeDate");
  localeText("toLocaleTimeString", "localeTime");
  const rest = {
    getTimezoneOffset() { return apply(getTime, this, []) * 0; },
    getYear() { return apply(getUTCFullYear, this, []) - 1900; },
  };
  hide(proto, "getTimezoneOffset", rest.getTimezoneOffset);
  if (proto.getYear !== undefined) hide(proto, "getYear", rest.getYear);
  delete proto.setYear;
});
