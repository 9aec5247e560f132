/** Lines of a stream that is no terminal. A line that is too long is handed on as one that is, and not kept whole. */

import { StringDecoder } from 'node:string_decoder';
import { MAX_LINE } from './parse.ts';

export async function* linesOf(stream: AsyncIterable<Buffer | string>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let line = '';
  const add = (text: string) => {
    // One more than is allowed is enough to know.
    line = (line + text).slice(0, MAX_LINE + 1);
  };
  for await (const chunk of stream) {
    const text = typeof chunk === 'string' ? chunk : decoder.write(chunk);
    let from = 0;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
      add(text.slice(from, at));
      yield line.replace(/\r$/, '');
      line = '';
      from = at + 1;
    }
    add(text.slice(from));
  }
  add(decoder.end());
  if (line !== '') yield line;
}
