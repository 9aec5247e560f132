/** The body of a request, in the protocol of chat completions. Pure; pinned by `test/golden/wire`. */

import type { AssistantMessage, JsonObject, Message, ModelRequest, ToolCall } from '../contract/model.ts';
import { isForced } from './adapt.ts';
import type { Quirks } from './quirks.ts';

/** Same request, same bytes; what comes first changes least, so that providers can cache the beginning. */
export function wireBody(model: string, request: ModelRequest, quirks: Quirks): JsonObject {
  const tools = request.tools.map(({ name, description, parameters }) => ({
    type: 'function',
    function: { name, description, parameters },
  }));
  return {
    model,
    ...(tools.length === 0 ? {} : { tools, tool_choice: wireChoice(request, quirks) }),
    messages: joined(request.messages).map((message) => wireMessage(message, quirks)),
    [quirks.limitField]: request.maxOutput,
    stream: true,
    ...(quirks.askUsage ? { stream_options: { include_usage: true } } : {}),
  };
}

function wireChoice(request: ModelRequest, quirks: Quirks): string | JsonObject {
  const choice = request.toolChoice;
  if (isForced(request) && !quirks.forcedTools) return 'auto';
  return typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.name } };
}

/** Strict templates want user and assistant in turn; a round that got no reply leaves two messages of the user. */
function joined(messages: readonly Message[]): readonly Message[] {
  const all: Message[] = [];
  for (const message of messages) {
    const last = all.at(-1);
    if (message.role !== 'user' || last?.role !== 'user') all.push(message);
    else all[all.length - 1] = { role: 'user', text: `${last.text}\n\n${message.text}` };
  }
  return all;
}

function wireMessage(message: Message, quirks: Quirks): JsonObject {
  switch (message.role) {
    case 'system':
    case 'user':
      return { role: message.role, content: message.text };
    case 'assistant':
      return wireAssistant(message, quirks);
    case 'tool':
      return { role: 'tool', tool_call_id: message.call, content: message.text };
  }
}

function wireAssistant(message: AssistantMessage, quirks: Quirks): JsonObject {
  const calls = message.calls.map((call) => wireCall(call, quirks));
  return {
    role: 'assistant',
    // Next to calls null is the common form for nothing; without any an empty text is.
    content: message.text === '' && calls.length > 0 ? null : message.text,
    ...wireReasoning(message, quirks),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

function wireReasoning(message: AssistantMessage, quirks: Quirks): JsonObject {
  if (quirks.replay === null) return {};
  const { field, placeholder } = quirks.replay;
  const said = message.reasoning === null || message.reasoning === '' ? placeholder : message.reasoning;
  return said === null ? {} : { [field]: said };
}

function wireCall(call: ToolCall, quirks: Quirks): JsonObject {
  // Servers parse the history: arguments that are not JSON would be refused in every later turn.
  const args = call.flaw === null ? call.args : JSON.stringify({ invalid_arguments: call.args });
  return {
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: args },
    ...(quirks.callExtra && call.extra !== null ? { extra_content: call.extra } : {}),
  };
}
