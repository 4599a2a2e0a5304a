// Copyright The ctx-lsp authors. MIT licence.

// Makes the clock of an extension host as many days ahead as that of its daemon; see recorded.ts. Timers stay.
const by = Number(process.env.CTX_TEST_DAYS_AHEAD ?? 0) * 86_400_000;
if (by !== 0 && process.argv.some((word) => word.includes('type=extensionHost'))) {
  const System = Date;
  const ahead = () => System.now() + by;
  globalThis.Date = new Proxy(System, {
    construct: (_, given, target) => Reflect.construct(System, given.length === 0 ? [ahead()] : given, target),
    apply: () => new System(ahead()).toString(),
    get: (_, name) => (name === 'now' ? ahead : Reflect.get(System, name)),
  });
}
