export const meta = { name: "web-helpers", description: "URL, TextEncoder, atob and the like" };
const url = new URL("../b?q=1#f", "https://example.com/a/c");
url.searchParams.append("r", "ä b");
const bytes = new TextEncoder().encode("€");
const text = new TextDecoder().decode(bytes);
const note = await agent(`Fetch ${url.href}`, { label: "fetch" });
return { href: url.href, host: url.host, bytes: [...bytes], text, b64: btoa("hi"), back: atob("aGk="), query: new URLSearchParams({ a: "1 2" }).toString(), note };
