// What our scripts may take for granted of a page and TypeScript cannot know: which elements, fields and data there are is
// the templates' part, and the tests in a browser ask for it.

type Tag = keyof HTMLElementTagNameMap;

/** The element that a selector finds, by the tag of its last part: "li a[href]" finds an HTMLAnchorElement. */
type Found<S extends string> = S extends `${string}, ${string}`
  ? HTMLElement
  : S extends `${string} ${infer Rest}`
    ? Found<Rest>
    : { [T in Tag]: S extends T | `${T}${"[" | "." | ":" | "#"}${string}` ? HTMLElementTagNameMap[T] : never }[Tag] extends infer E
      ? [E] extends [never]
        ? HTMLElement
        : E
      : never;

interface ParentNode {
  querySelector<S extends string>(selectors: S): Found<S>;
  querySelectorAll<S extends string>(selectors: S): NodeListOf<Found<S> & Element>;
}

interface Element {
  closest<S extends string>(selectors: S): Found<S>;
  cloneNode(deep?: boolean): this;
}

interface Document {
  getElementById(id: string): HTMLElement;
}

/** The fields of a form, by name or one after another. */
interface HTMLFormControlsCollection {
  [name: string]: any; // an input, a select, or all radio buttons of the name
  [Symbol.iterator](): ArrayIterator<HTMLInputElement>;
}

interface String {
  /** Puts a number into a sentence. */
  replace(mark: string, number: number): string;
}

interface HTMLElementTagNameMap {
  "card-pad": import("../../../tournament/static/lastcard/js/entry/card_pad.js").CardPad;
  "game-clock": import("../../../tournament/static/lastcard/js/entry/clock.js").GameClock;
  "hall-clock": import("../../../tournament/static/lastcard/js/hall_clock.js").HallClock;
  "game-table": import("../../../tournament/static/lastcard/js/entry/game.js").GameTable;
  "heat-order": import("../../../tournament/static/lastcard/js/entry/heat.js").HeatOrder;
}

// ---- what our scripts hear ----

type Entry = import("../../../tournament/static/lastcard/js/outbox/entries.js").Entry;

type Of<E, T extends EventTarget = HTMLElement> = E & { target: T };

/** What htmx tells (https://htmx.org/events): those parts that we read. */
type Htmx = CustomEvent<{
  elt: HTMLElement;
  target: HTMLElement;
  successful: boolean;
  shouldSwap: boolean;
  serverResponse: string;
  requestConfig: { path: string };
  xhr: XMLHttpRequest;
}>;

interface Heard {
  click: Of<PointerEvent>;
  pointerdown: Of<PointerEvent>;
  focusin: Of<FocusEvent>;
  keydown: Of<KeyboardEvent, HTMLInputElement>;
  change: Of<Event, HTMLInputElement>;
  input: Of<Event, HTMLInputElement>;
  search: Of<Event, HTMLInputElement>;
  submit: Of<SubmitEvent, HTMLFormElement>;
  "clock:tick": Of<CustomEvent<{ elapsed: number }>, HTMLElement & { limit: number; beeps?: Record<number, number> }>;
  "hall:says": Of<CustomEvent<{ says: string }>>;
  "htmx:afterRequest": Htmx;
  "htmx:beforeSend": Htmx;
  "htmx:beforeSwap": Htmx;
  "htmx:load": Htmx;
  "htmx:responseError": Htmx;
  "htmx:sendError": Htmx;
  "htmx:timeout": Htmx;
  "outbox:adopt": CustomEvent<string>;
  "outbox:change": CustomEvent<{ waiting: number; problems: number; connected: boolean; names: Record<string, string> }>;
  "outbox:confirmed": CustomEvent<Entry>;
  "outbox:drop": CustomEvent<string>;
  "outbox:keeping": Of<CustomEvent, HTMLFormElement>;
  "outbox:kept": Of<CustomEvent<Entry>, HTMLFormElement>;
  "outbox:mark": CustomEvent<{ command: string; handed: boolean }>;
  "outbox:take-over": CustomEvent<Entry>;
}

interface Document {
  addEventListener<K extends keyof Heard>(
    type: K,
    listener: (event: Heard[K]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

interface Window {
  addEventListener<K extends keyof Heard>(
    type: K,
    listener: (event: Heard[K]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

interface HTMLElement {
  addEventListener<K extends keyof Heard>(
    type: K,
    listener: (event: Heard[K]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

declare var htmx:
  | {
      process(element: Element): void;
      swap(target: string, page: string, how: object, parts: { select: string; selectOOB: string }): void;
    }
  | undefined;
