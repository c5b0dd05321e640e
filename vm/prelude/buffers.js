// Built-ins of buffers that the engine does not have, and a request that it would not notice.
(function (host) {
  "use strict";
  const { apply, construct, defineProperty, getOwnPropertyDescriptor } = Reflect;
  const { trunc } = Math;
  const TypeErrorCtor = TypeError;
  const RangeErrorCtor = RangeError;
  const { hide, named } = host;
  const getter = (target, key, read) =>
    defineProperty(target, key, { __proto__: null, get: read, enumerable: false, configurable: true });
  const isObject = (value) => value !== null && (typeof value === "object" || typeof value === "function");

  // Buffers: transfer and detached (ES2024). Ones that can be resized would need typed arrays that follow them.
  const NativeBuffer = ArrayBuffer;
  const bufferProto = NativeBuffer.prototype;
  const byteLength = getOwnPropertyDescriptor(bufferProto, "byteLength").get;
  const buffers = {
    ArrayBuffer: function (length, options) {
      if (new.target === undefined) throw new TypeErrorCtor("ArrayBuffer is a constructor: write new ArrayBuffer(…)");
      if (isObject(options) && options.maxByteLength !== undefined) host.missing("an ArrayBuffer with maxByteLength, one that can be resized,", "make a larger one and copy with new Uint8Array(larger).set(new Uint8Array(buffer))");
      return construct(NativeBuffer, [length], new.target === buffers.ArrayBuffer ? NativeBuffer : new.target);
    },
  };
  const GuardedBuffer = named(buffers.ArrayBuffer, "ArrayBuffer", 1);
  defineProperty(GuardedBuffer, "prototype", { __proto__: null, value: bufferProto, writable: false, enumerable: false, configurable: false });
  hide(GuardedBuffer, "isView", NativeBuffer.isView);
  getter(GuardedBuffer, Symbol.species, getOwnPropertyDescriptor({ get [Symbol.species]() { return this; } }, Symbol.species).get);
  hide(bufferProto, "constructor", GuardedBuffer);
  hide(globalThis, "ArrayBuffer", GuardedBuffer);
  const moved = (buffer, newLength) => {
    const length = apply(byteLength, buffer, []);
    const wanted = newLength === undefined ? length : index(newLength);
    if (host.detached(buffer)) throw new TypeErrorCtor("ArrayBuffer.prototype.transfer: the buffer was transferred before");
    const to = new NativeBuffer(wanted);
    host.transfer(buffer, to);
    return to;
  };
  const index = (value) => {
    const n = trunc(+value);
    const whole = n === n ? n : 0; // NaN is 0
    if (whole < 0 || whole > 9007199254740991) throw new RangeErrorCtor(`${value} is no index`);
    return whole + 0;
  };
  const { slice } = bufferProto;
  const transfers = {
    slice(start, end) {
      if (host.detached(this)) throw new TypeErrorCtor("ArrayBuffer.prototype.slice: the buffer was transferred before");
      return apply(slice, this, [start, end]);
    },
    transfer(newLength) { return moved(this, newLength); },
    transferToFixedLength(newLength) { return moved(this, newLength); },
    get detached() { apply(byteLength, this, []); return host.detached(this); },
    get resizable() { apply(byteLength, this, []); return false; },
    get maxByteLength() { return apply(byteLength, this, []); },
  };
  hide(bufferProto, "slice", named(transfers.slice, "slice", 2));
  hide(bufferProto, "transfer", named(transfers.transfer, "transfer", 0));
  hide(bufferProto, "transferToFixedLength", named(transfers.transferToFixedLength, "transferToFixedLength", 0));
  getter(bufferProto, "detached", getOwnPropertyDescriptor(transfers, "detached").get);
  getter(bufferProto, "resizable", getOwnPropertyDescriptor(transfers, "resizable").get);
  getter(bufferProto, "maxByteLength", getOwnPropertyDescriptor(transfers, "maxByteLength").get);

  // Half precision (ES2025) in views; there is no Float16Array.
  const viewProto = DataView.prototype;
  const { getUint16, setUint16 } = viewProto;
  const halves = {
    getFloat16(offset, little) { return host.fromHalf(apply(getUint16, this, [offset, little])); },
    setFloat16(offset, value, little) { return apply(setUint16, this, [offset, host.toHalf(+value), little]); },
  };
  hide(viewProto, "getFloat16", named(halves.getFloat16, "getFloat16", 1));
  hide(viewProto, "setFloat16", named(halves.setFloat16, "setFloat16", 2));
});
