/**
 * A provider for end-to-end runs: real HTTP, and replies out of a story. It is told nothing by the program but what
 * any provider is told: who asks, for which node and at which point is read out of the request, so that a request that
 * is made again after a crash is answered the same. Each can be made to fail.
 */

import { test as base } from './rig.ts';
import { chatOf, type Chat } from './rig-model-chat.ts';
import { replyTo, type Step, type StoryOptions } from './rig-model-story.ts';
import { refuses, sends } from './wire-replies.ts';
import { startWireServer, type WireReply, type WireRequest } from './wire-server.ts';

export interface ProviderUsage {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

export interface Held {
  /** Resolves to the request that is held when it has arrived. */
  readonly arrived: Promise<Chat>;
  /** Lets the reply go. */
  release(): void;
}

export interface Provider {
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  /** What it serves; null is a server without a list. */
  models: readonly string[] | null;
  /** What it answers to whatever else is asked for. */
  page: WireReply;
  /** The key it wants; null takes everybody. */
  key: string | null;
  /** All requests, those for the list of models included. */
  readonly requests: readonly WireRequest[];
  /** Requests for a reply so far, in order of arrival; of one role when it is named. */
  chats(role?: string): readonly Chat[];
  /** What it has reported in replies that went out whole. */
  reported(): ProviderUsage;
  /** Plays this story from now on. */
  tell(story: readonly Step[], options?: StoryOptions): void;
  /** The next requests for which this holds, `times` of them, get this reply instead. */
  misbehave(
    when: (chat: Chat) => boolean,
    reply: WireReply | ((chat: Chat) => WireReply),
    times?: number,
  ): void;
  /** The next request for which this holds is kept waiting. */
  hold(when: (chat: Chat) => boolean): Held;
  /** Requests that no step was there for. */
  readonly unknown: readonly string[];
  /** Exchanges under way. */
  open(): number;
  close(): Promise<void>;
}

export const MODEL = 'local-model';

interface Whim {
  readonly when: (chat: Chat) => boolean;
  readonly reply: (chat: Chat) => WireReply;
  left: number;
}

export async function startProvider(): Promise<Provider> {
  const server = await startWireServer();
  const chats: Chat[] = [];
  const whims: Whim[] = [];
  const unknown: string[] = [];
  const seats = new Map<string, number>();
  const reported = { input: 0, cached: 0, output: 0 };
  let story: readonly Step[] = [];
  let options: StoryOptions = {};

  const provider: Provider = {
    baseUrl: server.baseUrl,
    models: [MODEL],
    page: refuses(404, { message: 'Not found' }),
    key: null,
    requests: server.requests,
    unknown,
    chats: (role) => (role === undefined ? chats : chats.filter(({ key }) => key.role === role)),
    reported: () => ({ ...reported }),
    tell(told, how = {}) {
      story = told;
      options = how;
    },
    misbehave(when, reply, times = 1) {
      whims.push({ when, reply: typeof reply === 'function' ? reply : () => reply, left: times });
    },
    hold(when) {
      let arrive: (chat: Chat) => void = () => undefined;
      let release = (): void => undefined;
      const arrived = new Promise<Chat>((resolve) => (arrive = resolve));
      const released = new Promise<void>((resolve) => (release = resolve));
      provider.misbehave(when, (chat) => {
        arrive(chat);
        const reply = told(chat);
        return { ...reply, steps: [{ do: 'wait', for: released }, ...reply.steps] };
      });
      return { arrived, release };
    },
    open: () => server.open(),
    close: () => server.close(),
  };

  function told(chat: Chat): WireReply {
    const reply = replyTo(chat, story, options);
    if (reply === null) {
      const key = JSON.stringify(chat.key);
      unknown.push(key);
      return refuses(400, { message: `the story has no step for ${key}` });
    }
    const { usage } = reply;
    // Taken for reported once the last byte has gone out to somebody who was still there.
    if (usage !== null) void chat.request.ended.then((how) => how === 'finished' && add(usage));
    return reply.wire;
  }

  function add(usage: ProviderUsage): void {
    reported.input += usage.input;
    reported.cached += usage.cached;
    reported.output += usage.output;
  }

  function answer(request: WireRequest): WireReply {
    const { authorization } = request.headers;
    if (provider.key !== null && authorization !== `Bearer ${provider.key}`) {
      return refuses(401, { message: 'Incorrect API key provided', code: 'invalid_api_key' });
    }
    if (request.path === '/v1/models' && provider.models !== null) {
      const data = provider.models.map((id) => ({ id, object: 'model' }));
      return sends(200, 'application/json', JSON.stringify({ object: 'list', data }));
    }
    if (request.path !== '/v1/chat/completions') return provider.page;
    const chat = chatOf(request, chats, seats);
    chats.push(chat);
    const whim = whims.find(({ when, left }) => left > 0 && when(chat));
    if (whim === undefined) return told(chat);
    whim.left -= 1;
    return whim.reply(chat);
  }

  server.answerWith(answer);
  return provider;
}

/** The beginning of a command line: `goalgraph …` with this provider. */
export function by(provider: Provider, ...words: readonly string[]): readonly string[] {
  const [command = '', ...rest] = words;
  return [command, ...rest, '--base-url', provider.baseUrl, '--model', MODEL];
}

export const test = base.extend<{ provider: Provider }>({
  provider: async ({}, use) => {
    const provider = await startProvider();
    await use(provider);
    await provider.close();
  },
});
