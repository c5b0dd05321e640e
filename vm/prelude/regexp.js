// Regular expressions whose pattern comes from a text. The host writes the pattern anew, or refuses it, as it does with literals when
// it loads a script; what the author wrote shows in source.
(function (host) {
  "use strict";
  const Native = RegExp;
  const proto = Native.prototype;
  const { apply, construct, defineProperty, getOwnPropertyDescriptor } = Reflect;
  const { match: matchSymbol, split: splitSymbol, species: speciesSymbol } = Symbol;
  const { compile } = proto;
  const stringProto = String.prototype;
  const { codePointAt, slice } = stringProto;
  const nativeSource = getOwnPropertyDescriptor(proto, "source").get;
  const nativeUnicode = getOwnPropertyDescriptor(proto, "unicode").get;
  const nativeFlags = getOwnPropertyDescriptor(proto, "flags").get;
  const TypeErrorCtor = TypeError;
  const hide = (target, key, value) =>
    defineProperty(target, key, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
  const isObject = (value) => value !== null && (typeof value === "object" || typeof value === "function");
  const looksLikeRegExp = (value) => {
    if (!isObject(value)) return false;
    const matcher = value[matchSymbol];
    return matcher === undefined ? host.isRegExp(value) : !!matcher;
  };
  const text = (value) => (value === undefined ? "" : `${value}`);

  const Guarded = {
    RegExp: function (pattern, flags) {
      const like = looksLikeRegExp(pattern);
      if (new.target === undefined && like && flags === undefined && pattern.constructor === Guarded) return pattern;
      let source = pattern;
      let wanted = flags;
      if (host.isRegExp(pattern)) {
        source = host.authored(apply(nativeSource, pattern, []));
        if (flags === undefined) wanted = apply(nativeFlags, pattern, []);
      } else if (like) {
        source = pattern.source;
        if (flags === undefined) wanted = pattern.flags;
      }
      source = text(source);
      wanted = text(wanted);
      return construct(Native, [host.pattern(source, wanted), wanted], new.target === undefined ? Guarded : new.target);
    },
  }.RegExp;
  defineProperty(Guarded, "length", { __proto__: null, value: 2, configurable: true });
  defineProperty(Guarded, "prototype", { __proto__: null, value: proto, writable: false, enumerable: false, configurable: false });
  // The engine splits fast only with its own constructor.
  const species = getOwnPropertyDescriptor({ get [speciesSymbol]() { return this === Guarded ? Native : this; } }, speciesSymbol).get;
  defineProperty(Guarded, speciesSymbol, { __proto__: null, get: species, enumerable: false, configurable: true });
  const statics = {
    escape(source) {
      if (typeof source !== "string") throw host.typeError(`RegExp.escape: ${host.describe(source)} is not a string`);
      return host.regexpEscape(source);
    },
  };
  hide(Guarded, "escape", statics.escape);
  hide(proto, "constructor", Guarded);
  hide(globalThis, "RegExp", Guarded);

  const methods = {
    get source() { return this === proto ? "(?:)" : host.authored(apply(nativeSource, this, [])); },
    toString() {
      if (!isObject(this)) throw new TypeErrorCtor("RegExp.prototype.toString was called on something that is no object");
      return `/${this.source}/${this.flags}`;
    },
    compile(pattern, flags) {
      if (!host.isRegExp(pattern)) {
        const source = text(pattern);
        const wanted = text(flags);
        return apply(compile, this, [host.pattern(source, wanted), wanted]);
      }
      if (flags !== undefined) throw new TypeErrorCtor("RegExp.prototype.compile takes no flags with a regular expression");
      return apply(compile, this, [pattern]);
    },
  };
  defineProperty(proto, "source", { __proto__: null, get: getOwnPropertyDescriptor(methods, "source").get, enumerable: false, configurable: true });
  hide(proto, "toString", methods.toString);
  hide(proto, "compile", methods.compile);

  // The engine takes an empty match right behind another match for a place to split at, and with the flag u it fails on halves.
  const { exec } = proto;
  const nativeSplit = proto[splitSymbol];
  const splitter = {
    [splitSymbol](subject, limit) {
      if (!host.isRegExp(this) || !apply(nativeUnicode, this, []) && !host.canBeEmpty(apply(nativeSource, this, []))) return apply(nativeSplit, this, [subject, limit]);
      const s = `${subject}`;
      const most = limit === undefined ? 4294967295 : limit >>> 0;
      const flags = apply(nativeFlags, this, []);
      const expression = construct(Native, [apply(nativeSource, this, []), host.searching(flags)]);
      const parts = [];
      let last = 0;
      let from = 0;
      const add = (part) => {
        defineProperty(parts, parts.length, { __proto__: null, value: part, writable: true, enumerable: true, configurable: true });
        return parts.length >= most;
      };
      if (most === 0) return parts;
      if (s === "") {
        if (apply(exec, expression, [s]) === null) add(s);
        return parts;
      }
      while (from < s.length) {
        expression.lastIndex = from;
        const match = apply(exec, expression, [s]);
        if (match === null || match.index >= s.length) break;
        const end = match.index + match[0].length;
        if (end === last) {
          from = match.index + (apply(nativeUnicode, this, []) && apply(codePointAt, s, [match.index]) > 0xffff ? 2 : 1);
          continue;
        }
        if (add(apply(slice, s, [last, match.index]))) return parts;
        last = end;
        from = end;
        for (let i = 1; i < match.length; i += 1) if (add(match[i])) return parts;
      }
      add(apply(slice, s, [last]));
      return parts;
    },
  };
  hide(proto, splitSymbol, splitter[splitSymbol]);

  // These make an expression of a text by themselves.
  const natives = { match: stringProto.match, matchAll: stringProto.matchAll, search: stringProto.search };
  const strings = {
    match(pattern) { return apply(natives.match, this, [typeof pattern === "string" ? new Guarded(pattern) : pattern]); },
    matchAll(pattern) { return apply(natives.matchAll, this, [typeof pattern === "string" ? new Guarded(pattern, "g") : pattern]); },
    search(pattern) { return apply(natives.search, this, [typeof pattern === "string" ? new Guarded(pattern) : pattern]); },
  };
  hide(stringProto, "match", strings.match);
  hide(stringProto, "matchAll", strings.matchAll);
  hide(stringProto, "search", strings.search);
});
